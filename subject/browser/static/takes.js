// Takes on this device's disk: samples in a file of the page's own where the browser has such files, else in its database, written
// before they are sent, and gone only when the other side holds as many of them with the same SHA-256.

const WIDTH = 2;
const hex = (buffer) => Array.from(new Uint8Array(buffer), (byte) => byte.toString(16).padStart(2, "0")).join("");

/** Samples in a file of the page's own. */
class Files {
  static async open(visit, allowed) {
    if (!allowed || !navigator.storage?.getDirectory) return null;
    try {
      const root = await navigator.storage.getDirectory();
      const folder = await root.getDirectoryHandle(`visit-${visit}`, { create: true });
      const trial = await folder.getFileHandle("trial", { create: true });
      (await trial.createSyncAccessHandle()).close();
      return new Files(folder);
    } catch {
      return null;
    }
  }

  constructor(folder) {
    this.folder = folder;
    this.open = new Map();
  }

  async begin(take) {
    const file = await this.folder.getFileHandle(`${take}.pcm`, { create: true });
    this.open.set(take, await file.createSyncAccessHandle());
  }

  append(take, at, samples) {
    const handle = this.open.get(take);
    if (handle.write(samples, { at: at * WIDTH }) !== samples.byteLength) throw new Error("a short write");
  }

  flush(take) {
    this.open.get(take)?.flush();
  }

  end(take) {
    const handle = this.open.get(take);
    this.open.delete(take);
    handle?.flush();
    handle?.close();
  }

  /** Bytes `from` to `to` of a take that is over, no more of it than that: a take may be as large as what a browser can hold. */
  async read(take, from = 0, to = undefined) {
    const file = await this.folder.getFileHandle(`${take}.pcm`).catch(() => null);
    return file ? new Uint8Array(await (await file.getFile()).slice(from, to).arrayBuffer()) : new Uint8Array();
  }

  remove(take) {
    return this.folder.removeEntry(`${take}.pcm`).catch(() => {});
  }
}

/** Samples as pieces in the database. */
class Pieces {
  constructor(database) {
    this.database = database;
    this.writing = Promise.resolve();
    this.failed = null;
  }

  async begin() {}

  append(take, at, samples) {
    if (this.failed) throw this.failed;
    const key = [take, at];
    const put = () => this.database.change("sound", (store) => store.put(samples.slice().buffer, key));
    this.writing = this.writing.then(put).catch((error) => {
      this.failed = error;
    });
  }

  flush() {}

  end() {}

  async read(take, from = 0, to = undefined) {
    await this.writing;
    const pieces = await this.database.entries("sound", this.range(take));
    return new Uint8Array(await new Blob(pieces.map(([, piece]) => piece)).slice(from, to).arrayBuffer());
  }

  range(take) {
    return IDBKeyRange.bound([take, 0], [take, Infinity]);
  }

  remove(take) {
    return this.database.change("sound", (store) => store.delete(this.range(take))).catch(() => {});
  }
}

export class Takes {
  static async open(database, visit, files) {
    const takes = new Takes(database, (await Files.open(visit, files)) ?? new Pieces(database));
    for (const [take, known] of await database.entries("takes")) takes.known.set(take, known);
    return takes;
  }

  constructor(database, place) {
    this.database = database;
    this.place = place;
    this.known = new Map();
    this.memory = new Map();
    this.ready = new Map();
    this.told = () => {};
  }

  /** Return whether anything waits in memory that the disk refused. */
  get full() {
    return [...this.memory.values()].some((memory) => memory.refused);
  }

  /** A take begins; what is appended before the file is there waits in memory. */
  begin(take, header) {
    const known = { header, samples: null, sha256: "" };
    this.known.set(take, known);
    this.memory.set(take, { pieces: [], count: 0, written: 0, at: 0, open: false, refused: false });
    const opened = this.database.change("takes", (store) => store.put(known, take)).then(() => this.place.begin(take));
    this.ready.set(take, opened.then(() => this.write(take, true), (error) => this.refuse(take, error)));
  }

  append(take, samples) {
    const memory = this.memory.get(take);
    memory.pieces.push(samples);
    memory.count += samples.length;
    this.write(take);
  }

  write(take, opened = false) {
    const memory = this.memory.get(take);
    if (!memory) return;
    memory.open = memory.open || opened;
    try {
      while (memory.open && memory.written < memory.pieces.length) {
        this.place.append(take, memory.at, memory.pieces[memory.written]);
        memory.at += memory.pieces[memory.written].length;
        memory.written++;
      }
    } catch (error) {
      this.refuse(take, error);
    }
  }

  refuse(take, error) {
    const memory = this.memory.get(take);
    if (!memory || memory.refused) return;
    memory.refused = true;
    this.told(take, String(error?.name ?? error), memory.at);
  }

  /** Every second: have the disk hold everything. */
  flush(take) {
    try {
      this.place.flush(take);
    } catch (error) {
      this.refuse(take, error);
    }
  }

  /** The take is over: returns its count and SHA-256. What the disk refused stays in memory until it is confirmed. */
  async seal(take) {
    await this.ready.get(take);
    const memory = this.memory.get(take);
    const whole = join(memory.pieces);
    const sealed = { samples: memory.count, sha256: hex(await crypto.subtle.digest("SHA-256", whole)) };
    const known = Object.assign(this.known.get(take), sealed);
    try {
      this.place.end(take);
      await this.database.change("takes", (store) => store.put(known, take));
    } catch (error) {
      this.refuse(take, error);
    }
    if (!memory.refused) this.memory.delete(take);
    return sealed;
  }

  /** What an earlier run of this page left unfinished, sealed now: [take, header, sealed]. */
  async *recover() {
    for (const [take, known] of this.known) {
      if (known.samples === null) {
        const read = await this.place.read(take);
        const whole = read.subarray(0, read.length - (read.length % WIDTH));
        known.samples = whole.length / WIDTH;
        known.sha256 = hex(await crypto.subtle.digest("SHA-256", whole));
        yield [take, known, true];
        await this.database.change("takes", (store) => store.put(known, take));
      } else yield [take, known, false];
    }
  }

  /** Samples `first` to `first + count - 1` of a take as bytes, as many of them as there are. */
  async read(take, first, count) {
    const memory = this.memory.get(take);
    return memory ? join(within(memory.pieces, first, count)) : this.place.read(take, first * WIDTH, (first + count) * WIDTH);
  }

  /** Forget a take that the other side holds to the last sample; false where it does not. */
  async confirm(take, samples, sha256) {
    const known = this.known.get(take);
    if (!known) return true;
    if (known.samples !== samples || known.sha256 !== sha256) return false;
    this.known.delete(take);
    this.memory.delete(take);
    this.ready.delete(take);
    await this.place.remove(take);
    await this.database.change("takes", (store) => store.delete(take)).catch(() => {});
    return true;
  }
}

/** The samples `first` to `first + count - 1` of what lies in pieces. */
function within(pieces, first, count) {
  const found = [];
  let at = 0;
  for (const piece of pieces) {
    if (at + piece.length > first && at < first + count) found.push(piece.subarray(Math.max(0, first - at), first + count - at));
    at += piece.length;
  }
  return found;
}

function join(pieces) {
  const whole = new Int16Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return new Uint8Array(whole.buffer);
}
