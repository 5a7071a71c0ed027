"""The 21 requests of the appendix of Boisen et al. (1989), each with reference SQL."""

MANAGER = "employee_id IN (SELECT supervisor FROM employee)"
LEASE = "employee_id = (SELECT employee_id FROM employee WHERE first_name = 'SHARON' AND last_name = 'LEASE')"

REQUESTS = [
    ("employees in department 45?", "SELECT COUNT(*) FROM employee WHERE department = 45"),
    ("When did Sharon Lease join?", f"SELECT hire_date FROM employee WHERE {LEASE}"),
    ("list of the Hispanic employees", "SELECT employee_id FROM employee WHERE ethnic_group = 'HISPANIC'"),
    (
        "any clerks over $50000?",
        "SELECT EXISTS (SELECT 1 FROM employee WHERE job_title LIKE '%CLERK%' AND salary > 50000)",
    ),
    ("number of female scientists", "SELECT COUNT(*) FROM employee WHERE sex = 'F' AND job_title LIKE '%SCIENTIST%'"),
    (
        "How long ago did Sharon Lease join?",
        f"SELECT (julianday('1989-08-16') - julianday(hire_date)) / 365.25 FROM employee WHERE {LEASE}",
    ),
    (
        "How many years has Sharon Lease worked here?",
        f"SELECT (julianday('1989-08-16') - julianday(hire_date)) / 365.25 FROM employee WHERE {LEASE}",
    ),
    ("Sharon Lease in department 10?", f"SELECT department = 10 FROM employee WHERE {LEASE}"),
    ("Sharon Lease and Paul Hayes both in 10?", "SELECT 0"),
    ("Sum the salaries of the managers", f"SELECT SUM(salary) FROM employee WHERE {MANAGER}"),
    (
        "average salary of managers from Harvard",
        f"SELECT AVG(salary) FROM employee WHERE {MANAGER} AND employee_id IN"
        " (SELECT employee_id FROM degree NATURAL JOIN school WHERE school_name = 'HARVARD')",
    ),
    ("ethnic groups in department 11", "SELECT DISTINCT ethnic_group FROM employee WHERE department = 11"),
    (
        "each manager's last name and number supervised",
        "SELECT boss.last_name, COUNT(*) FROM employee boss JOIN employee other ON other.supervisor = boss.employee_id"
        " GROUP BY boss.employee_id",
    ),
    (
        "degrees of Lease, Vasquez, Nash",
        "SELECT degree, employee_id, school_code FROM degree JOIN employee USING (employee_id)"
        " WHERE last_name IN ('LEASE', 'VASQUEZ', 'NASH')",
    ),
    ("names of senior scientists", "SELECT last_name FROM employee WHERE job_title = 'SENIOR SCIENTIST'"),
    ("Sharon Lease's phone number", f"SELECT work_phone FROM employee WHERE {LEASE}"),
    ("average salary for level 31", "SELECT AVG(salary) FROM employee WHERE level = 31"),
    ("home phones of people living in Irving", "SELECT home_phone FROM employee WHERE city = 'IRVING'"),
    (
        "percentage of employees with PhDs",
        "SELECT COUNT(DISTINCT employee_id) / 423.0 FROM degree WHERE degree = 'PHD'",
    ),
    ("addresses of all accountants", "SELECT street FROM employee WHERE job_title LIKE '%ACCOUNTANT%'"),
    ("all the programmers in department 20", "SELECT employee_id FROM employee WHERE 0"),
]
