// Drafts kept on this device until the server has them. Every record belongs to one person (`owner`, an opaque id) and
// one tab; records of other people on the same device are never read.

const DATABASE = "mizan-drafts";
const LAST_WORDS = "mizan-last-words:";

/** localStorage, or null where even touching it is forbidden. */
function local() {
  try {
    return window.localStorage;
  } catch {
    return null;
  }
}

function settled(request) {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

/** Settles when what was written is on the device for good: a request succeeds before, and a full disk takes it back. */
function written(store, write) {
  return new Promise((resolve, reject) => {
    const { transaction } = store;
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(transaction.error ?? new DOMException("nothing was kept", "AbortError"));
    write(store);
  });
}

function openDatabase() {
  const request = indexedDB.open(DATABASE, 1);
  request.onupgradeneeded = () => {
    request.result.createObjectStore("drafts", { keyPath: "key" }).createIndex("owner", "owner");
    request.result.createObjectStore("copies", { autoIncrement: true }).createIndex("owner", "owner");
  };
  return settled(request);
}

export class DraftStore {
  /** @returns {Promise<DraftStore>} one that keeps nothing where the browser forbids storage; see `available` */
  static async open(owner) {
    try {
      return new DraftStore(owner, await openDatabase());
    } catch {
      return new DraftStore(owner, null);
    }
  }

  constructor(owner, database) {
    this.owner = owner;
    this.database = database;
    this.available = Boolean(database);
  }

  #store(name, mode) {
    // "strict": the promise settles only when the record is on disk, not merely in the system's cache.
    return this.database.transaction(name, mode, { durability: "strict" }).objectStore(name);
  }

  async put(record) {
    if (this.available) await written(this.#store("drafts", "readwrite"), (store) => store.put({ ...record, owner: this.owner }));
  }

  async delete(key) {
    local()?.removeItem(LAST_WORDS + key);
    if (!this.available) return;
    try {
      await written(this.#store("drafts", "readwrite"), (store) => store.delete(key));
    } catch {
      // It stays until the next draft of this item takes its place.
    }
  }

  /** All unsent drafts of this person, newest first, with what a closing page could still write taken in. */
  async mine() {
    const records = this.available ? await settled(this.#store("drafts", "readonly").index("owner").getAll(this.owner)) : [];
    const byKey = new Map(records.map((record) => [record.key, record]));
    for (const record of this.#lastWords()) {
      const known = byKey.get(record.key);
      if (!known || known.seq <= record.seq) byKey.set(record.key, record);
    }
    return [...byKey.values()].sort((a, b) => b.at - a.at);
  }

  /** Written synchronously while the page is closing, when a database write may no longer finish. */
  putLastWords(record) {
    try {
      local()?.setItem(LAST_WORDS + record.key, JSON.stringify({ ...record, owner: this.owner }));
    } catch {
      // The quota is used up or storage forbidden: what the database has must do.
    }
  }

  forgetLastWords(key) {
    local()?.removeItem(LAST_WORDS + key);
  }

  /** Sets a version aside for good measure, before a person decides between two. */
  async keepCopy(copy) {
    if (!this.available) return;
    try {
      await written(this.#store("copies", "readwrite"), (store) => store.add({ ...copy, owner: this.owner, at: Date.now() }));
    } catch {
      // The person decides all the same: both versions are before them.
    }
  }

  *#lastWords() {
    const storage = local();
    for (let i = 0; i < (storage?.length ?? 0); i += 1) {
      const name = storage.key(i);
      if (!name.startsWith(LAST_WORDS)) continue;
      try {
        const record = JSON.parse(storage.getItem(name));
        if (record.owner === this.owner) yield record;
      } catch {
        continue; // cut short while it was written
      }
    }
  }
}

/**
 * An id for this tab that survives reloading, and with it the names of tabs still open, so that a draft is picked up
 * only from a tab that is gone. A duplicated tab copies sessionStorage; the lock tells the copy from the original.
 */
export async function tabIdentity() {
  let id = sessionStorage.getItem("mizan-tab") ?? crypto.randomUUID();
  if (navigator.locks && !(await holdLock(id))) {
    id = crypto.randomUUID();
    await holdLock(id);
  }
  sessionStorage.setItem("mizan-tab", id);
  return id;
}

function holdLock(id) {
  return new Promise((resolve) => {
    navigator.locks.request(`mizan-tab-${id}`, { ifAvailable: true }, (lock) => {
      resolve(Boolean(lock));
      return lock ? new Promise(() => {}) : undefined; // held until the tab closes
    });
  });
}

/** Ids of the tabs that are open now. */
export async function openTabs() {
  const { held = [] } = (await navigator.locks?.query()) ?? {};
  return new Set(held.map(({ name }) => name).filter((name) => name.startsWith("mizan-tab-")).map((name) => name.slice(10)));
}
