/** Time between two updates, so that a queue may change as often as it likes. */
const showEveryMs = 50;
/** A finger that rests on the page stops no progress for longer. */
const longestPressMs = 1000;

/** Shows the files of a queue below the form, each with its progress. */
export class SendingView {
  /** Called with the name of an act of the queue, and the file that it is about. */
  onAct = () => {};
  #messages;
  #rows = new Map();
  #list = element('ul', { className: 'files sending' });
  #bar = element('progress', { max: 1, value: 0 });
  #total = element('p', { className: 'quiet' });
  #told = element('p', { className: 'hint' });
  #pause = element('button', { type: 'button', hidden: true });
  #send;
  #isDue = false;
  #pressedUntil = 0;

  constructor(form, messages) {
    this.#messages = messages;
    this.#send = form.querySelector('button');
    const hint = element('p', { className: 'hint drop', textContent: messages.drop });
    this.#told.setAttribute('role', 'status');
    this.#bar.setAttribute('aria-label', messages.total);
    this.#bar.hidden = true;
    this.#send.parentElement.before(hint, this.#list, this.#bar, this.#total);
    this.#send.after(this.#pause);
    this.#send.parentElement.after(this.#told);
    this.#pause.addEventListener('click', () => this.onAct(this.#pause.dataset.act));
    this.#watchPresses();
  }

  /** Shows a queue soon, however often it changes before. */
  show(queue) {
    if (this.#isDue) return;
    this.#isDue = true;
    this.#showSoon(queue);
  }

  #showSoon(queue) {
    // No animation frame, because a page in the background has none.
    setTimeout(() => {
      if (performance.now() < this.#pressedUntil) return this.#showSoon(queue);
      this.#isDue = false;
      this.#showNow(queue);
    }, showEveryMs);
  }

  /**
   * Notes when a button may be pressed. The buttons move when the list above them changes. A browser drops the click of
   * a button that has moved away between press and release.
   */
  #watchPresses() {
    addEventListener('pointerdown', () => (this.#pressedUntil = performance.now() + longestPressMs), true);
    // The click of a finger comes a moment after it has left.
    for (const end of ['pointerup', 'pointercancel'])
      addEventListener(end, () => (this.#pressedUntil = performance.now() + showEveryMs), true);
  }

  #showNow(queue) {
    const { items, isPaused, isSending } = queue;
    for (const [item, row] of this.#rows)
      if (!items.includes(item)) {
        row.li.remove();
        this.#rows.delete(item);
      }
    for (const item of items) this.#showItem(item, isPaused);
    const has = items.length > 0;
    const isOver = has && items.every(({ state }) => state === 'stored' || state === 'failed');
    this.#pause.hidden = !has || isOver || (!isSending && !isPaused);
    this.#pause.dataset.act = isPaused ? 'resume' : 'pause';
    this.#pause.textContent = isPaused ? this.#messages.resume : this.#messages.pause;
    this.#showTotal(items, has);
  }

  #showTotal(items, has) {
    const all = items.reduce((sum, { file }) => sum + file.size, 0);
    const sent = items.reduce((sum, item) => sum + (item.state === 'stored' ? item.file.size : item.sentBytes), 0);
    const stored = items.filter(({ state }) => state === 'stored').length;
    const failed = items.filter(({ state }) => state === 'failed').length;
    const part = all === 0 ? (stored === items.length ? 1 : 0) : sent / all;
    this.#bar.hidden = !has;
    this.#bar.value = part;
    const counts = this.#filled(this.#messages.count, { done: stored, all: items.length });
    this.#total.textContent = has ? `${counts} · ${this.#percent(part)}` : '';
    if (!has) return this.#tell('');
    // Read aloud at each file, not at each byte.
    const news = stored === items.length ? this.#messages.done : stored + failed > 0 ? counts : '';
    this.#tell(failed > 0 ? `${news} ${this.#filled(this.#messages.failed, { count: failed })}` : news);
  }

  #tell(text) {
    if (this.#told.textContent !== text) this.#told.textContent = text;
  }

  #showItem(item, isPaused) {
    const row = this.#rows.get(item) ?? this.#addRow(item);
    const { state, error, file, sentBytes } = item;
    const part = state === 'stored' || file.size === 0 ? 1 : sentBytes / file.size;
    row.bar.value = part;
    row.bar.hidden = state === 'stored' || state === 'failed' || (state === 'waiting' && sentBytes === 0);
    row.retry.hidden = state !== 'failed';
    row.remove.hidden = state === 'stored';
    const text = state === 'waiting' && isPaused ? this.#messages.paused : this.#messages.states[state];
    const reason = error && (this.#messages.reasons[error.code] ?? (error.message || this.#messages.lost));
    row.text.textContent = reason ?? (state === 'sending' ? this.#percent(part) : text);
    row.li.dataset.state = state;
  }

  #addRow(item) {
    const name = element('bdi', { textContent: item.path });
    const row = {
      li: element('li'),
      bar: element('progress', { max: 1 }),
      text: element('span', { className: 'quiet' }),
      retry: this.#button('retry', item),
      remove: this.#button('remove', item),
    };
    row.bar.setAttribute('aria-label', item.path);
    row.li.append(name, row.bar, row.text, row.retry, row.remove);
    this.#list.append(row.li);
    this.#rows.set(item, row);
    return row;
  }

  #button(act, item) {
    const button = element('button', { type: 'button', textContent: this.#messages[act] });
    button.setAttribute('aria-label', `${this.#messages[act]}: ${item.path}`);
    button.addEventListener('click', () => {
      this.onAct(act, item);
      // The button disappears with its row, and the focus would be lost.
      this.#send.focus();
    });
    return button;
  }

  #percent(part) {
    return new Intl.NumberFormat(document.documentElement.lang, { style: 'percent' }).format(
      Math.floor(part * 100) / 100,
    );
  }

  #filled(text, values) {
    return text.replace(/\{(\w+)\}/g, (_, name) => String(values[name]));
  }
}

function element(name, properties = {}) {
  return Object.assign(document.createElement(name), properties);
}
