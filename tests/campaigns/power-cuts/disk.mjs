// What a disk may hold after a power cut: everything that was synced, and any part of what was not.

/** The smallest unit that a disk writes as a whole, in bytes. */
const SECTOR = 512;
/** Shared memory of SQLite's processes: nothing of it is on disk, and the next process creates it again. */
const isMemory = (path) => path.endsWith("-shm");

/** What is certainly on disk of a file, and the changes since its last sync. */
class File {
  pending = [];
  #durable;

  constructor(bytes) {
    this.#durable = new Content(bytes);
  }

  /** Everything before this record of the trace is on disk. */
  synced(before) {
    const durable = this.pending.filter(({ number }) => number < before);
    this.pending = this.pending.slice(durable.length);
    for (const change of durable) this.#durable.apply(change, () => true);
  }

  /** Its bytes if each sector since the last sync is written or not as `isWritten()` says. */
  afterCut(isWritten) {
    const content = new Content(this.#durable.bytes);
    for (const change of this.pending) content.apply(change, isWritten);
    return content.bytes;
  }
}

/** Bytes that change in place. */
class Content {
  #buffer;
  #size;

  constructor(bytes) {
    this.#buffer = Buffer.from(bytes);
    this.#size = bytes.length;
  }

  get bytes() {
    return this.#buffer.subarray(0, this.#size);
  }

  /** Makes a change, of which each sector is written if `isWritten()` says so. */
  apply({ offset, data, size }, isWritten) {
    if (size !== undefined) return void (isWritten() && this.#resize(size));
    for (let at = 0; at < data.length; ) {
      const end = Math.min(data.length, at + SECTOR - ((offset + at) % SECTOR));
      const written = isWritten();
      // The file may have grown though the sector was not written. It has zeros there.
      if (written || isWritten()) this.#resize(Math.max(this.#size, offset + end));
      if (written) data.copy(this.#buffer, offset + at, at, end);
      at = end;
    }
  }

  /** What is added is zero. */
  #resize(size) {
    if (size > this.#buffer.length) {
      const larger = Buffer.alloc(2 * size);
      this.bytes.copy(larger);
      this.#buffer = larger;
    }
    if (size < this.#size) this.#buffer.fill(0, size, this.#size);
    this.#size = size;
  }
}

export class Disk {
  /** Path → file, as the program sees them, and as they are certainly on disk. */
  #names;
  #durableNames;
  #pendingNames = [];
  /** Number of an opened file → its File; the folder itself is `undefined`. */
  #opened = new Map();
  /** Number of a sync that has begun → number of its record. */
  #syncs = new Map();
  #number = 0;
  #ignoresSyncs;

  /** `files` is path → bytes, all of them on disk. A disk that `ignoresSyncs` promises what it does not do. */
  constructor(files, { ignoresSyncs = false } = {}) {
    this.#names = new Map([...files].map(([path, bytes]) => [path, new File(bytes)]));
    this.#durableNames = new Map(this.#names);
    this.#ignoresSyncs = ignoresSyncs;
  }

  /** Takes the next record of the trace. */
  take({ operation, file, position, data, path }) {
    this.#number += 1;
    if (operation === "open") this.#open(file, path);
    else if (operation === "write") this.#change(file, { offset: position, data });
    else if (operation === "truncate") this.#change(file, { size: position });
    else if (operation === "unlink") this.#name(path, undefined);
    else if (operation === "syncBegin") this.#syncs.set(position, this.#number);
    else if (operation === "syncEnd") this.#synced(file, this.#syncs.get(position));
    else throw new Error(`${path} was renamed. This model of a disk has no renaming.`);
  }

  /**
   * A state in which the power cut may leave the files, as path → bytes. `random()` gives numbers from 0 to 1. With `share` 0 nothing
   * is there that was not synced, with 1 everything.
   */
  cut(random, share) {
    const isWritten = () => random() < share;
    const names = new Map(this.#durableNames);
    for (const { path, file } of this.#pendingNames) if (isWritten()) setName(names, path, file);
    return new Map([...names].map(([path, file]) => [path, file.afterCut(isWritten)]));
  }

  #open(number, path) {
    // The folder is opened to be synced.
    if (path === "") return void this.#opened.set(number, undefined);
    if (isMemory(path)) return void this.#opened.set(number, new File(Buffer.alloc(0)));
    if (!this.#names.has(path)) this.#name(path, new File(Buffer.alloc(0)));
    this.#opened.set(number, this.#names.get(path));
  }

  #name(path, file) {
    if (isMemory(path)) return;
    setName(this.#names, path, file);
    this.#pendingNames.push({ number: this.#number, path, file });
  }

  #change(file, change) {
    this.#opened.get(file).pending.push({ number: this.#number, ...change });
  }

  #synced(number, before) {
    if (this.#ignoresSyncs) return;
    const file = this.#opened.get(number);
    if (file) return file.synced(before);
    for (const { path, file: named } of this.#pendingNames.filter((change) => change.number < before))
      setName(this.#durableNames, path, named);
    this.#pendingNames = this.#pendingNames.filter((change) => change.number >= before);
  }
}

function setName(names, path, file) {
  if (file) names.set(path, file);
  else names.delete(path);
}
