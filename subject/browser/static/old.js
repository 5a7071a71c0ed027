// In words that any browser reads: says so where the page cannot run, and reports it. What the page needs newer is in the others.

(function () {
  function tooOld() {
    document.getElementById("headline").textContent = document.body.getAttribute("data-too-old");
    report();
  }

  // To the experimenter: too old, an address without its last part, as a message leaves it, or one that is open here already.
  function report(taken) {
    var visit = location.pathname.split("/")[2];
    var token = location.hash.slice(1);
    if (!window.WebSocket || !visit) return;
    var socket = new WebSocket(location.protocol.replace("http", "ws") + "//" + location.host + "/visit/" + visit + "/link");
    socket.onopen = function () {
      socket.send(JSON.stringify({ m: "unusable", token: token, taken: taken === true }));
    };
  }

  window.tooOld = tooOld;
  window.report = report;
  window.addEventListener("load", function () {
    if (!window.begun) tooOld();
  });
})();
