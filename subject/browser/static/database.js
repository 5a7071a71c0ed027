// The page's small store in the browser: what was reported and not yet acknowledged, and what is known of each take.

const done = (request) =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

export class Database {
  /** The store of one visit; rejects where the browser keeps none. */
  static async open(visit) {
    const request = indexedDB.open(`visit-${visit}`, 1);
    request.onupgradeneeded = () => {
      request.result.createObjectStore("journal", { autoIncrement: true });
      request.result.createObjectStore("takes");
      request.result.createObjectStore("sound");
      request.result.createObjectStore("about");
    };
    return new Database(await done(request));
  }

  constructor(database) {
    this.database = database;
  }

  /** Do `work` with an object store, and return when it is on the disk as far as the browser can say. */
  async change(name, work) {
    const transaction = this.database.transaction(name, "readwrite", { durability: "strict" });
    const finished = new Promise((resolve, reject) => {
      transaction.oncomplete = resolve;
      transaction.onabort = transaction.onerror = () => reject(transaction.error ?? new Error("not stored"));
    });
    const request = work(transaction.objectStore(name));
    await finished;
    return request?.result;
  }

  get(name, key) {
    return done(this.database.transaction(name).objectStore(name).get(key));
  }

  async entries(name, range) {
    const store = this.database.transaction(name).objectStore(name);
    const [keys, values] = await Promise.all([done(store.getAllKeys(range)), done(store.getAll(range))]);
    return keys.map((key, place) => [key, values[place]]);
  }
}
