// Made from uploader/ by `npm run generate`. Never edit it by hand.
import { adoptEarly, attributes, isOn, propertyOf, reflectAttributes, setText, } from './attributes.js';
import { canTryAgain } from './failure-kind.js';
import { FormField } from './form-field.js';
import { withPath } from './found-files.js';
import { takeIn } from './intake.js';
import { limitsOf } from './limits.js';
import { listenAround } from './listening.js';
import { makePanel } from './panel.js';
import { isRunning, isUnfinished, makeQueue } from './queue.js';
import { makeSummary } from './summary.js';
import { english } from './texts-en.js';
import { textsAround } from './texts-in.js';
import { uploadOptionsOf } from './upload-options.js';
/**
 * `<cubby-upload>`: an area to drop, paste or choose files and folders, and a list that shows their progress. It is a
 * form field. docs/uploader.md describes its attributes, properties, events and parts.
 */
export class CubbyUpload extends FormField {
    static observedAttributes = Object.keys(attributes);
    /** An API key or upload token, or a function that returns one. Takes precedence over `token-url`. */
    credential = early(this, 'credential');
    /** Query options beyond the attributes, for all files or for each. */
    query = early(this, 'query') ?? {};
    /** Further options of `uploadFile()`. */
    options = early(this, 'options') ?? {};
    #ownTexts = {};
    #texts = english;
    /** The server accepts only one prefix, so folders become part of the names. */
    #isFlat = false;
    /** With `manual`: whether uploads were started. */
    #isStarted = false;
    #isHeld = false;
    #isOffline = false;
    #isDisabled = false;
    #isBusy = false;
    #reading = new AbortController();
    #listening;
    #queue = makeQueue({
        optionsFor: (item) => {
            item.isFlat = this.#isFlat || this.folders === 'flat';
            return uploadOptionsOf(this, item, item.isFlat);
        },
        mayStart: () => this.isConnected && !this.#isHeld && (this.#isStarted || !isOn(this, 'manual')),
        changed: (item, what) => (what === 'state' ? this.#showState(item) : this.#showProgress(item)),
        removed: (item) => this.#removed(item),
    });
    #panel = makePanel(this.attachShadow({ mode: 'open' }), {
        texts: () => this.#texts,
        take: (brought) => this.#take(brought),
        act: (item, action) => this.#act(item, action),
        actOnAll: (action) => this.#actOnAll(action),
        canTryAgain: (item) => this.#canTryAgain(item),
        timeLeft: (item) => this.#summary.timeLeft(item),
        hasPictures: () => !['off', 'false'].includes(this.pictures ?? ''),
    });
    #summary = makeSummary({
        queue: this.#queue,
        panel: this.#panel,
        texts: () => this.#texts,
        canTryAgain: (item) => this.#canTryAgain(item),
        waitsFor: () => (this.#isHeld ? 'resume' : this.#isStarted || !isOn(this, 'manual') ? undefined : 'start'),
        tell: (name, total) => void this.#emit(name, total),
    });
    constructor() {
        super();
        adoptEarly(this, [...Object.keys(attributes).map(propertyOf), 'overwrite', 'texts']);
        this.#chooseTexts();
    }
    connectedCallback() {
        this.#chooseTexts();
        this.#listen();
        for (const item of this.#queue.items.filter(({ isLeft }) => isLeft)) {
            item.isLeft = false;
            item.upload?.resume();
        }
        this.#queue.startNext();
    }
    disconnectedCallback() {
        // An element that was only moved is connected again before this runs.
        queueMicrotask(() => {
            if (this.isConnected)
                return;
            this.#listening?.abort();
            this.#reading.abort();
            for (const item of this.#queue.items.filter(isRunning)) {
                item.isLeft = true;
                item.upload.pause();
            }
        });
    }
    attributeChangedCallback(name) {
        if (name === 'lang')
            this.#chooseTexts();
        if (name === 'paste' || name === 'drop')
            this.#listen();
        this.#applyRules();
        this.#showAll();
    }
    formDisabledCallback(isDisabled) {
        this.#isDisabled = isDisabled;
        this.#applyRules();
    }
    formResetCallback() {
        this.reset();
    }
    /** Replaces texts of the surrounding language. */
    set texts(texts) {
        this.#ownTexts = texts;
        this.#chooseTexts();
    }
    get texts() {
        return this.#texts;
    }
    /**
     * The name that uploads have for the opposite of `keep-existing`. Not in the types for JSX: a page that is made on a
     * server would lose a `false`.
     */
    get overwrite() {
        return this.getAttribute('overwrite') !== 'false';
    }
    set overwrite(value) {
        setText(this, 'overwrite', value === false || value === 'false' ? 'false' : undefined);
    }
    /** The files of the list with their current state. */
    get items() {
        return this.#queue.items.map(({ file, path, state, progress, uploaded, error }) => ({
            file,
            path,
            state,
            progress,
            ...(uploaded && { uploaded }),
            ...(error && { error }),
        }));
    }
    get totals() {
        return this.#summary.total;
    }
    /** Ids of the stored files. A form gets them under the element's name. */
    get value() {
        return this.#queue.items.flatMap(({ uploaded }) => (uploaded ? [uploaded.id] : []));
    }
    focus() {
        this.#panel.zone.focus();
    }
    /** Adds files as if the user had chosen them. */
    addFiles(files) {
        this.#take({ files: Array.from(files, withPath), folders: [] });
    }
    /** With `manual`: starts the waiting files. */
    start() {
        this.#isStarted = true;
        this.#queue.startNext();
        this.#showAll();
    }
    /** Pauses all uploads. Requests in flight finish, and no further one starts. */
    pauseAll() {
        this.#isHeld = true;
        for (const { upload } of this.#queue.items.filter(isRunning))
            upload.pause();
    }
    resumeAll() {
        this.#isHeld = false;
        for (const { upload, state } of [...this.#queue.items])
            if (state === 'paused')
                upload.resume();
        this.#queue.startNext();
    }
    cancelAll() {
        this.#reading.abort();
        this.#removeAll(isUnfinished);
    }
    /** Retries the failed files that a retry may help. */
    retryAll() {
        for (const item of this.#queue.items.filter((one) => this.#canTryAgain(one)))
            this.#queue.retry(item);
    }
    /** Removes completed and failed files from the list. Stored files stay stored. */
    clear() {
        this.#removeAll((item) => !isUnfinished(item));
    }
    /** Cancels everything and empties the list. */
    reset() {
        this.cancelAll();
        this.clear();
        this.#panel.clearNote();
    }
    /** Removes files, and updates the form once, not once for each of thousands of files. */
    #removeAll(isMeant) {
        this.#isBusy = true;
        for (const item of this.#queue.items.filter(isMeant).reverse())
            this.#queue.remove(item);
        this.#isBusy = false;
        this.#rest();
        this.#tellForm();
    }
    /**
     * Gives the form the ids of the stored files. While uploads run the form is invalid, because their ids would be
     * missing.
     */
    #tellForm() {
        if (this.#isBusy)
            return;
        const { value } = this;
        const { unfinished, required } = this.#texts;
        const { anchor } = this.#panel.zone;
        if (this.#queue.items.some(isUnfinished))
            this.tellForm(value, { flags: { customError: true }, words: unfinished, anchor });
        else if (isOn(this, 'required') && value.length === 0)
            this.tellForm(value, { flags: { valueMissing: true }, words: required, anchor });
        else
            this.tellForm(value, undefined);
    }
    #take(brought) {
        if (this.#isOff())
            return;
        if (this.#reading.signal.aborted)
            this.#reading = new AbortController();
        const limits = limitsOf(this);
        const isSingle = !isOn(this, 'multiple');
        this.#isFlat = false;
        const intake = takeIn(brought, {
            limits: () => limits,
            listed: () => {
                // As in a file input, the next choice replaces the last.
                const counted = this.#queue.items.filter(({ state }) => !isSingle && state !== 'failed' && state !== 'cancelled');
                return { files: counted.length, bytes: counted.reduce((sum, { file }) => sum + file.size, 0) };
            },
            takesFolders: () => !isSingle,
            showsHidden: () => isOn(this, 'hidden-files'),
            isWanted: ({ file, path }) => this.#emit('adding', { file, path }),
            take: (found) => {
                if (isSingle)
                    this.reset();
                this.#summary.begin();
                for (const one of found)
                    this.#panel.rows.add(this.#queue.add(one));
                this.#emit('added', { files: found.map(({ file }) => file) });
                this.#queue.startNext();
            },
            tell: (takings, isOver) => this.#tellTakings(takings, isOver),
        }, this.#reading.signal);
        intake.catch((error) => console.error(error));
    }
    #tellTakings(takings, isOver) {
        const { taken, refused } = takings;
        const sentences = this.#panel.noteTakings(takings, limitsOf(this), isOver);
        this.#showAll();
        if (!isOver)
            return;
        this.#panel.announcer.say([taken > 0 ? this.#texts.saysAdded(taken) : '', ...sentences].filter(Boolean).join(' '));
        for (const [reason, { files, paths }] of refused)
            this.#emit('refused', { reason, files, paths });
    }
    #act(item, action) {
        const { path, upload } = item;
        const { saysPaused, saysResumed, saysCancelled } = this.#texts;
        if (action === 'pause')
            upload?.pause();
        if (action === 'resume')
            upload?.resume();
        if (action === 'again')
            this.#queue.retry(item);
        if (action === 'remove' || action === 'cancel')
            this.#queue.remove(item);
        if (action === 'pause')
            this.#panel.announcer.say(saysPaused(path));
        if (action === 'resume')
            this.#panel.announcer.say(saysResumed(path));
        if (action === 'cancel')
            this.#panel.announcer.say(saysCancelled(path));
    }
    #actOnAll(action) {
        const { saysAllPaused, saysAllResumed, saysAllCancelled } = this.#texts;
        if (action === 'start')
            this.start();
        if (action === 'pauseAll')
            this.pauseAll();
        if (action === 'resumeAll')
            this.resumeAll();
        if (action === 'againAll')
            this.retryAll();
        if (action === 'cancelAll')
            this.cancelAll();
        if (action === 'clear')
            this.clear();
        if (action === 'pauseAll')
            this.#panel.announcer.say(saysAllPaused);
        if (action === 'resumeAll')
            this.#panel.announcer.say(saysAllResumed);
        if (action === 'cancelAll')
            this.#panel.announcer.say(saysAllCancelled);
        this.#showAll();
        // The button with the focus may be gone.
        if (!this.shadowRoot.activeElement)
            this.#panel.zone.focus();
    }
    #showState(item) {
        const { file, path, state, uploaded, error } = item;
        // A token that pins its prefix accepts no deeper one. Only this error shows it.
        if (state === 'failed' && error.code === 'PREFIX_NOT_ALLOWED' && path.includes('/') && !item.isFlat) {
            this.#isFlat = true;
            return this.#queue.retry(item);
        }
        this.#panel.rows.showState(item);
        if (state === 'completed')
            this.#panel.announcer.completed(path);
        if (state === 'failed')
            this.#panel.announcer.failed(path, error);
        this.#tellOffline();
        this.#tellForm();
        this.#rest();
        this.#summary.showSoon();
        if (state === 'completed')
            this.#emit('uploaded', { file, path, uploaded: uploaded });
        if (state === 'failed')
            this.#emit('failed', { file, path, error: error });
    }
    #showProgress(item) {
        this.#panel.rows.showProgress(item);
        this.#emit('progress', { file: item.file, path: item.path, ...item.progress });
        this.#summary.showSoon();
    }
    #removed(item) {
        const { file, path, uploaded } = item;
        // Keyboard users keep their place.
        if (!this.#panel.rows.remove(item))
            this.#panel.zone.focus();
        if (!this.#isBusy)
            this.#rest();
        this.#tellForm();
        this.#emit('removed', { file, path, ...(uploaded && { uploaded }) });
        this.#summary.showSoon();
    }
    /** When all files are done, the next files wait for their own start. */
    #rest() {
        if (!this.#queue.items.some(isUnfinished))
            this.#isStarted = this.#isHeld = false;
    }
    #tellOffline() {
        const isOffline = this.#queue.items.some(({ state }) => state === 'offline');
        if (isOffline === this.#isOffline)
            return;
        this.#isOffline = isOffline;
        if (isOffline)
            this.#panel.announcer.say(this.#texts.saysOffline);
        else if (this.#queue.items.some(isRunning))
            this.#panel.announcer.say(this.#texts.saysOnline);
    }
    /** Updates everything that concerns all files. */
    #showAll() {
        this.#summary.show();
        this.#tellForm();
    }
    #canTryAgain({ state, error }) {
        // A function or an address may return another credential. A fixed one never changes.
        return state === 'failed' && canTryAgain(error, typeof this.credential !== 'string');
    }
    #isOff() {
        return this.#isDisabled || isOn(this, 'disabled');
    }
    #chooseTexts() {
        this.#texts = { ...textsAround(this), ...this.#ownTexts };
        this.#applyRules();
        this.#panel.label();
        this.#showAll();
    }
    #applyRules() {
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
    #listen() {
        this.#listening?.abort();
        if (!this.isConnected)
            return;
        this.#listening = new AbortController();
        const isBusy = () => this.#queue.items.some(isUnfinished);
        listenAround(this, { zone: this.#panel.zone, take: (brought) => this.#take(brought), isBusy }, this.#listening.signal);
    }
    /** Returns false when the page called `preventDefault()`. */
    #emit(name, detail) {
        return this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true, cancelable: name === 'adding' }));
    }
}
export { english } from './texts-en.js';
export { portuguese } from './texts-pt.js';
export { spanish } from './texts-es.js';
/**
 * Reads a property that the page set before this class was defined. The class's own fields would otherwise overwrite
 * it.
 */
function early(element, name) {
    return Object.getOwnPropertyDescriptor(element, name)?.value;
}
reflectAttributes(CubbyUpload.prototype);
if (globalThis.customElements && !customElements.get('cubby-upload'))
    customElements.define('cubby-upload', CubbyUpload);
