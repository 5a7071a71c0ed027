// What has happened here and was not acknowledged yet, in the order in which it happened: on this device's disk before it goes up.

export class Journal {
  static async open(database) {
    const journal = new Journal(database);
    for (const [key, { id, frame }] of await database.entries("journal")) journal.pending.set(id, { key, frame });
    return journal;
  }

  constructor(database) {
    this.database = database;
    this.pending = new Map();
    this.refused = "";
    this.writing = Promise.resolve();
  }

  /** Keep a frame, then `send` it; in the order of the calls. Where the disk refuses, it is kept in memory and sent. */
  add(id, frame, send) {
    const entry = { key: null, frame };
    this.pending.set(id, entry);
    this.writing = this.writing.then(async () => {
      try {
        entry.key = await this.database.change("journal", (store) => store.add({ id, frame }));
        this.refused = "";
      } catch (error) {
        this.refused = String(error?.name ?? error);
      }
      send(frame);
    });
    return this.writing;
  }

  async acknowledge(id) {
    const entry = this.pending.get(id);
    if (!entry) return;
    this.pending.delete(id);
    await this.writing;
    if (entry.key !== null) await this.database.change("journal", (store) => store.delete(entry.key)).catch(() => {});
  }
}
