// The side of a page or program: a worker that is replaced when a request is cancelled or takes too long.

/** A request that failed, with what the command says about it. */
export class HieraticError extends Error {
  constructor(message, { code, limit, help = [], labels = [], messages = [], status, text } = {}) {
    super(message);
    this.name = 'HieraticError';
    Object.assign(this, { code, limit, help, labels, messages, status, text });
  }
}

/** How long a request may take, in milliseconds, if it does not say so. */
const TIMEOUT = 30_000;

/** The most memory of a run after which its worker is kept, in bytes: the garbage of a worker may stay for long. */
const MAX_KEPT_MEMORY = 256 << 20;

export class Client {
  #startWorker;
  #source;
  #worker;
  #trees = new Map();
  #sent = new Map();
  #nextTree = 1;
  #nextId = 1;
  #waiting = new Map();
  #queue = Promise.resolve();
  #isClosed = false;

  /**
   * `startWorker` starts a worker with `postMessage`, `onMessage(callback)`, `onError(callback)` and `terminate`. `source` is where the
   * module is, the compiled module, or a promise of it.
   */
  constructor(startWorker, source) {
    this.#startWorker = startWorker;
    this.#source = source;
  }

  /** Adds a tree of files, which is sent to the worker when it is needed. */
  addTree(tree) {
    const number = this.#nextTree++;
    this.#trees.set(number, { ...tree, version: 1 });
    return number;
  }

  setTree(number, tree) {
    this.#trees.set(number, { ...tree, version: this.#trees.get(number).version + 1 });
  }

  removeTree(number) {
    this.#trees.delete(number);
    // The worker has a copy of the files.
    if (this.#sent.delete(number)) this.#worker.postMessage({ kind: 'forget', tree: number });
  }

  async #start() {
    // Compiled once: the next worker begins at once, and without a network.
    this.#source = await this.#source;
    if (this.#isClosed) throw new HieraticError('the engine was closed', { code: 'closed' });
    const worker = this.#startWorker();
    worker.onMessage(({ id, answer, error }) => {
      const waiting = this.#waiting.get(id);
      this.#waiting.delete(id);
      if (error) waiting?.reject(new HieraticError(error.message, { code: 'internal' }));
      else waiting?.resolve(answer);
    });
    worker.onError((error) => {
      if (this.#worker === worker) this.#end(new HieraticError(`the worker failed: ${error?.message ?? error}`, { code: 'internal' }));
    });
    this.#worker = worker;
    try {
      this.#source = await this.#post({ kind: 'load', source: this.#source });
    } catch (error) {
      // Without the module it answers nothing: the next request tries again.
      if (this.#worker === worker) this.#end(error);
      throw error;
    }
  }

  /** Ends the worker: its memory is given back, and the next request starts another one. */
  #end(error) {
    this.#worker?.terminate();
    this.#worker = undefined;
    this.#sent.clear();
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
  }

  #post(request) {
    return new Promise((resolve, reject) => {
      const id = this.#nextId++;
      this.#waiting.set(id, { resolve, reject });
      this.#worker.postMessage({ id, ...request });
    });
  }

  /** Sends a request. Requests are answered one after the other. */
  request(request, { signal, timeout = TIMEOUT } = {}) {
    const begun = this.#queue.then(() => this.#request(request, signal, timeout));
    this.#queue = begun.then(() => {}, () => {});
    return begun;
  }

  async #request(request, signal, timeout) {
    if (this.#isClosed) throw new HieraticError('the engine was closed', { code: 'closed' });
    if (signal?.aborted) throw new HieraticError('the request was cancelled', { code: 'cancelled' });
    let timer;
    const cancel = () => this.#end(new HieraticError('the request was cancelled', { code: 'cancelled' }));
    signal?.addEventListener('abort', cancel, { once: true });
    try {
      if (!this.#worker) await this.#start();
      if (signal?.aborted) throw new HieraticError('the request was cancelled', { code: 'cancelled' });
      if (Number.isFinite(timeout)) {
        timer = setTimeout(() => {
          const seconds = timeout / 1000;
          this.#end(new HieraticError(`the answer was stopped: it took more than ${seconds} seconds (limit: time)`, {
            code: 'limit', limit: 'time', help: ['ask for less at a time, or raise the timeout'],
          }));
        }, timeout);
      }
      const { tree } = request;
      const files = this.#trees.get(tree);
      if (tree !== undefined && !files) throw new HieraticError('the files were closed', { code: 'closed' });
      if (files && this.#sent.get(tree) !== files.version) {
        await this.#post({ kind: 'files', tree, files: files.files, folder: files.folder, isWritable: files.isWritable });
        this.#sent.set(tree, files.version);
      }
      const answer = await this.#post(request);
      if (answer?.memory > MAX_KEPT_MEMORY && request.kind === 'run') this.#end();
      return answer;
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', cancel);
    }
  }

  /** Ends the worker for good. */
  close() {
    this.#isClosed = true;
    this.#end(new HieraticError('the engine was closed', { code: 'closed' }));
  }
}
