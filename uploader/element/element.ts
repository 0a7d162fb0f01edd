import type { Credential } from '../credentials.ts';
import type { UploadOptions } from '../options.ts';
import {
  adoptEarly,
  attributes,
  isOn,
  propertyOf,
  reflectAttributes,
  setText,
  type ReflectedProperties,
} from './attributes.ts';
import type { CubbyUploadDetails, CubbyUploadListenerMap } from './events.ts';
import { canTryAgain } from './failure-kind.ts';
import { FormField } from './form-field.ts';
import { withPath, type Brought } from './found-files.ts';
import { takeIn, type Takings } from './intake.ts';
import { limitsOf } from './limits.ts';
import { listenAround } from './listening.ts';
import { makePanel } from './panel.ts';
import type { MoreQuery } from './query-of.ts';
import { isRunning, isUnfinished, makeQueue, type Item } from './queue.ts';
import type { RowAction } from './row.ts';
import { makeSummary } from './summary.ts';
import { english } from './texts-en.ts';
import { textsAround } from './texts-in.ts';
import type { Texts } from './texts.ts';
import type { TotalAction, TotalProgress } from './totals.ts';
import { uploadOptionsOf } from './upload-options.ts';

/**
 * `<cubby-upload>`: an area to drop, paste or choose files and folders, and a list that shows their progress. It is a
 * form field. docs/uploader.md describes its attributes, properties, events and parts.
 */
export class CubbyUpload extends FormField {
  static readonly observedAttributes: readonly string[] = Object.keys(attributes);
  /** An API key or upload token, or a function that returns one. Takes precedence over `token-url`. */
  credential: Credential | undefined = early<Credential>(this, 'credential');
  /** Query options beyond the attributes, for all files or for each. */
  query: MoreQuery = early<MoreQuery>(this, 'query') ?? {};
  /** Further options of `uploadFile()`. */
  options: Partial<UploadOptions> = early<Partial<UploadOptions>>(this, 'options') ?? {};
  #ownTexts: Partial<Texts> = {};
  #texts: Texts = english;
  /** The server accepts only one prefix, so folders become part of the names. */
  #isFlat = false;
  /** With `manual`: whether uploads were started. */
  #isStarted = false;
  #isPaused = false;
  #isOffline = false;
  #isDisabled = false;
  #isBusy = false;
  #reading = new AbortController();
  #listening: AbortController | undefined;
  readonly #queue = makeQueue({
    optionsFor: (item) => {
      item.isFlat = this.#isFlat || this.folders === 'flat';
      return uploadOptionsOf(this, item, item.isFlat);
    },
    mayStart: () => this.isConnected && !this.#isPaused && (this.#isStarted || !isOn(this, 'manual')),
    changed: (item, what) => (what === 'state' ? this.#showState(item) : this.#showProgress(item)),
    removed: (item) => this.#removed(item),
  });
  readonly #panel = makePanel(this.attachShadow({ mode: 'open' }), {
    texts: () => this.#texts,
    take: (brought) => this.#take(brought),
    act: (item, action) => this.#act(item, action),
    actOnAll: (action) => this.#actOnAll(action),
    canTryAgain: (item) => this.#canTryAgain(item),
    timeLeft: (item) => this.#summary.timeLeft(item),
    hasPictures: () => !['off', 'false'].includes(this.pictures ?? ''),
  });
  readonly #summary = makeSummary({
    queue: this.#queue,
    panel: this.#panel,
    texts: () => this.#texts,
    canTryAgain: (item) => this.#canTryAgain(item),
    waitsFor: () => (this.#isPaused ? 'resume' : this.#isStarted || !isOn(this, 'manual') ? undefined : 'start'),
    tell: (name, total) => void this.#emit(name, total),
  });

  constructor() {
    super();
    adoptEarly(this, [...Object.keys(attributes).map(propertyOf), 'overwrite', 'texts']);
    this.#chooseTexts();
  }

  connectedCallback(): void {
    this.#chooseTexts();
    this.#listen();
    for (const item of this.#queue.items.filter(({ isLeft }) => isLeft)) {
      item.isLeft = false;
      item.upload?.resume();
    }
    this.#queue.startNext();
  }

  disconnectedCallback(): void {
    // An element that was only moved is connected again before this runs.
    queueMicrotask(() => {
      if (this.isConnected) return;
      this.#listening?.abort();
      this.#reading.abort();
      for (const item of this.#queue.items.filter(isRunning)) {
        item.isLeft = true;
        item.upload!.pause();
      }
    });
  }

  attributeChangedCallback(name: string): void {
    if (name === 'lang') this.#chooseTexts();
    if (name === 'paste' || name === 'drop') this.#listen();
    this.#applyRules();
    this.#showAll();
  }

  formDisabledCallback(isDisabled: boolean): void {
    this.#isDisabled = isDisabled;
    this.#applyRules();
  }

  formResetCallback(): void {
    this.reset();
  }

  /** Replaces texts of the surrounding language. */
  set texts(texts: Partial<Texts>) {
    this.#ownTexts = texts;
    this.#chooseTexts();
  }

  get texts(): Texts {
    return this.#texts;
  }

  /**
   * The name that uploads have for the opposite of `keep-existing`. Not in the types for JSX: a page that is made on a
   * server would lose a `false`.
   */
  get overwrite(): boolean {
    return this.getAttribute('overwrite') !== 'false';
  }

  set overwrite(value: unknown) {
    setText(this, 'overwrite', value === false || value === 'false' ? 'false' : undefined);
  }

  /** The files of the list with their current state. */
  get items(): ReadonlyArray<Pick<Item, 'file' | 'path' | 'state' | 'progress' | 'uploaded' | 'error'>> {
    return this.#queue.items.map(({ file, path, state, progress, uploaded, error }) => ({
      file,
      path,
      state,
      progress,
      ...(uploaded && { uploaded }),
      ...(error && { error }),
    }));
  }

  get totals(): TotalProgress {
    return this.#summary.total;
  }

  /** Ids of the stored files. A form gets them under the element's name. */
  get value(): readonly string[] {
    return this.#queue.items.flatMap(({ uploaded }) => (uploaded ? [uploaded.id] : []));
  }

  override focus(): void {
    this.#panel.zone.focus();
  }

  /** Adds files as if the user had chosen them. */
  addFiles(files: Iterable<File>): void {
    this.#take({ files: Array.from(files, withPath), folders: [] });
  }

  /** With `manual`: starts the waiting files. */
  start(): void {
    this.#isStarted = true;
    this.#queue.startNext();
    this.#showAll();
  }

  /** Pauses all uploads. Requests in flight finish, and no further one starts. */
  pauseAll(): void {
    this.#isPaused = true;
    for (const { upload } of this.#queue.items.filter(isRunning)) upload!.pause();
  }

  resumeAll(): void {
    this.#isPaused = false;
    for (const { upload, state } of [...this.#queue.items]) if (state === 'paused') upload!.resume();
    this.#queue.startNext();
  }

  cancelAll(): void {
    this.#reading.abort();
    this.#removeAll(isUnfinished);
  }

  /** Retries the failed files that a retry may help. */
  retryAll(): void {
    for (const item of this.#queue.items.filter((one) => this.#canTryAgain(one))) this.#queue.retry(item);
  }

  /** Removes completed and failed files from the list. Stored files stay stored. */
  clear(): void {
    this.#removeAll((item) => !isUnfinished(item));
  }

  /** Cancels everything and empties the list. */
  reset(): void {
    this.cancelAll();
    this.clear();
    this.#panel.clearNote();
  }

  /** Removes files, and updates the form once, not once for each of thousands of files. */
  #removeAll(isMeant: (item: Item) => boolean): void {
    this.#isBusy = true;
    for (const item of this.#queue.items.filter(isMeant).reverse()) this.#queue.remove(item);
    this.#isBusy = false;
    this.#rest();
    this.#tellForm();
  }

  /**
   * Gives the form the ids of the stored files. While uploads run the form is invalid, because their ids would be
   * missing.
   */
  #tellForm(): void {
    if (this.#isBusy) return;
    const { value } = this;
    const { unfinished, required } = this.#texts;
    const { anchor } = this.#panel.zone;
    if (this.#queue.items.some(isUnfinished))
      this.tellForm(value, { flags: { customError: true }, text: unfinished, anchor });
    else if (isOn(this, 'required') && value.length === 0)
      this.tellForm(value, { flags: { valueMissing: true }, text: required, anchor });
    else this.tellForm(value, undefined);
  }

  #take(brought: Brought): void {
    if (this.#isOff()) return;
    if (this.#reading.signal.aborted) this.#reading = new AbortController();
    const limits = limitsOf(this);
    const isSingle = !isOn(this, 'multiple');
    this.#isFlat = false;
    const intake = takeIn(
      brought,
      {
        limits: () => limits,
        listed: () => {
          // As in a file input, the next choice replaces the last.
          const counted = this.#queue.items.filter(
            ({ state }) => !isSingle && state !== 'failed' && state !== 'cancelled',
          );
          return { files: counted.length, bytes: counted.reduce((sum, { file }) => sum + file.size, 0) };
        },
        takesFolders: () => !isSingle,
        showsHidden: () => isOn(this, 'hidden-files'),
        isWanted: ({ file, path }) => this.#emit('adding', { file, path }),
        take: (found) => {
          if (isSingle) this.reset();
          this.#summary.begin();
          for (const one of found) this.#panel.rows.add(this.#queue.add(one));
          this.#emit('added', { files: found.map(({ file }) => file) });
          this.#queue.startNext();
        },
        tell: (takings, isOver) => this.#tellTakings(takings, isOver),
      },
      this.#reading.signal,
    );
    intake.catch((error: unknown) => console.error(error));
  }

  #tellTakings(takings: Takings, isOver: boolean): void {
    const { taken, refused } = takings;
    const sentences = this.#panel.noteTakings(takings, limitsOf(this), isOver);
    this.#showAll();
    if (!isOver) return;
    this.#panel.announcer.say([taken > 0 ? this.#texts.saysAdded(taken) : '', ...sentences].filter(Boolean).join(' '));
    for (const [reason, { files, paths }] of refused) this.#emit('refused', { reason, files, paths });
  }

  #act(item: Item, action: RowAction): void {
    const { path, upload } = item;
    const { saysPaused, saysResumed, saysCancelled } = this.#texts;
    if (action === 'pause') upload?.pause();
    if (action === 'resume') upload?.resume();
    if (action === 'again') this.#queue.retry(item);
    if (action === 'remove' || action === 'cancel') this.#queue.remove(item);
    if (action === 'pause') this.#panel.announcer.say(saysPaused(path));
    if (action === 'resume') this.#panel.announcer.say(saysResumed(path));
    if (action === 'cancel') this.#panel.announcer.say(saysCancelled(path));
  }

  #actOnAll(action: TotalAction): void {
    const { saysAllPaused, saysAllResumed, saysAllCancelled } = this.#texts;
    if (action === 'start') this.start();
    if (action === 'pauseAll') this.pauseAll();
    if (action === 'resumeAll') this.resumeAll();
    if (action === 'againAll') this.retryAll();
    if (action === 'cancelAll') this.cancelAll();
    if (action === 'clear') this.clear();
    if (action === 'pauseAll') this.#panel.announcer.say(saysAllPaused);
    if (action === 'resumeAll') this.#panel.announcer.say(saysAllResumed);
    if (action === 'cancelAll') this.#panel.announcer.say(saysAllCancelled);
    this.#showAll();
    // The button with the focus may be gone.
    if (!this.shadowRoot!.activeElement) this.#panel.zone.focus();
  }

  #showState(item: Item): void {
    const { file, path, state, uploaded, error } = item;
    // A token that pins its prefix accepts no deeper one. Only this error shows it.
    if (state === 'failed' && error!.code === 'PREFIX_NOT_ALLOWED' && path.includes('/') && !item.isFlat) {
      this.#isFlat = true;
      return this.#queue.retry(item);
    }
    this.#panel.rows.showState(item);
    if (state === 'completed') this.#panel.announcer.completed(path);
    if (state === 'failed') this.#panel.announcer.failed(path, error!);
    this.#tellOffline();
    this.#tellForm();
    this.#rest();
    this.#summary.showSoon();
    if (state === 'completed') this.#emit('uploaded', { file, path, uploaded: uploaded! });
    if (state === 'failed') this.#emit('failed', { file, path, error: error! });
  }

  #showProgress(item: Item): void {
    this.#panel.rows.showProgress(item);
    this.#emit('progress', { file: item.file, path: item.path, ...item.progress });
    this.#summary.showSoon();
  }

  #removed(item: Item): void {
    const { file, path, uploaded } = item;
    // Keyboard users keep their place.
    if (!this.#panel.rows.remove(item)) this.#panel.zone.focus();
    if (!this.#isBusy) this.#rest();
    this.#tellForm();
    this.#emit('removed', { file, path, ...(uploaded && { uploaded }) });
    this.#summary.showSoon();
  }

  /** When all files are done, the next files wait for their own start. */
  #rest(): void {
    if (!this.#queue.items.some(isUnfinished)) this.#isStarted = this.#isPaused = false;
  }

  #tellOffline(): void {
    const isOffline = this.#queue.items.some(({ state }) => state === 'offline');
    if (isOffline === this.#isOffline) return;
    this.#isOffline = isOffline;
    if (isOffline) this.#panel.announcer.say(this.#texts.saysOffline);
    else if (this.#queue.items.some(isRunning)) this.#panel.announcer.say(this.#texts.saysOnline);
  }

  /** Updates everything that concerns all files. */
  #showAll(): void {
    this.#summary.show();
    this.#tellForm();
  }

  #canTryAgain({ state, error }: Item): boolean {
    // A function or an address may return another credential. A fixed one never changes.
    return state === 'failed' && canTryAgain(error!, typeof this.credential !== 'string');
  }

  #isOff(): boolean {
    return this.#isDisabled || isOn(this, 'disabled');
  }

  #chooseTexts(): void {
    this.#texts = { ...textsAround(this), ...this.#ownTexts };
    this.#applyRules();
    this.#panel.label();
    this.#showAll();
  }

  #applyRules(): void {
    const limits = limitsOf(this);
    this.#panel.zone.allow({
      accept: limits.accept,
      isMultiple: isOn(this, 'multiple'),
      hasFolders: isOn(this, 'directory') && isOn(this, 'multiple'),
      isDisabled: this.#isOff(),
      capture: this.capture,
    });
    this.#panel.zone.label(this.#texts, this.#texts.limits(limits));
  }

  /** Listens outside the element while it is in the page. */
  #listen(): void {
    this.#listening?.abort();
    if (!this.isConnected) return;
    this.#listening = new AbortController();
    const isBusy = () => this.#queue.items.some(isUnfinished);
    listenAround(
      this,
      { zone: this.#panel.zone, take: (brought) => this.#take(brought), isBusy },
      this.#listening.signal,
    );
  }

  /** Returns false when the page called `preventDefault()`. */
  #emit<Name extends keyof CubbyUploadDetails>(name: Name, detail: CubbyUploadDetails[Name]): boolean {
    return this.dispatchEvent(
      new CustomEvent(name, { detail, bubbles: true, composed: true, cancelable: name === 'adding' }),
    );
  }
}

/** The types of the attributes as properties, and of the listeners of the element's own events. */
export interface CubbyUpload extends ReflectedProperties {
  /** Read-only on other elements. */
  prefix: string | null;
  addEventListener<Name extends keyof CubbyUploadListenerMap>(
    type: Name,
    listener: (this: CubbyUpload, event: CubbyUploadListenerMap[Name]) => unknown,
    options?: boolean | AddEventListenerOptions,
  ): void;
  addEventListener(
    type: string,
    listener: EventListenerOrEventListenerObject,
    options?: boolean | AddEventListenerOptions,
  ): void;
  removeEventListener<Name extends keyof CubbyUploadListenerMap>(
    type: Name,
    listener: (this: CubbyUpload, event: CubbyUploadListenerMap[Name]) => unknown,
    options?: boolean | EventListenerOptions,
  ): void;
  removeEventListener(
    type: string,
    listener: EventListenerOrEventListenerObject,
    options?: boolean | EventListenerOptions,
  ): void;
}

export type { CubbyUploadDetails, CubbyUploadEventMap } from './events.ts';
export type { CubbyUploadProps } from './jsx.ts';
export type { Limits, RefusalReason } from './limits.ts';
export type { ItemState } from './queue.ts';
export type { Texts } from './texts.ts';
export type { TotalProgress } from './totals.ts';
export { english } from './texts-en.ts';
export { portuguese } from './texts-pt.ts';
export { spanish } from './texts-es.ts';

/**
 * Reads a property that the page set before this class was defined. The class's own fields would otherwise overwrite
 * it.
 */
function early<T>(element: HTMLElement, name: string): T | undefined {
  return Object.getOwnPropertyDescriptor(element, name)?.value as T | undefined;
}

reflectAttributes(CubbyUpload.prototype);
if (globalThis.customElements && !customElements.get('cubby-upload'))
  customElements.define('cubby-upload', CubbyUpload);

declare global {
  interface HTMLElementTagNameMap {
    'cubby-upload': CubbyUpload;
  }
}
