// Made from uploader/ by `npm run generate`. Never edit it by hand.
/** Makes an element with its class as its part, so that pages can style it. */
export function partElement(tag, name) {
    const element = document.createElement(tag);
    element.className = name;
    element.setAttribute('part', name);
    return element;
}
/** A button that says what it does, and to what. */
export function actionButton(action, words, label, act) {
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = words;
    button.dataset.action = action;
    button.setAttribute('part', `button ${action}`);
    // The visible word comes first: whoever speaks to the computer says what is seen.
    if (label !== words)
        button.setAttribute('aria-label', label);
    button.addEventListener('click', act);
    return button;
}
/** Puts other buttons in the place of the old. The one at the same place from the end takes the focus over. */
export function replaceKeepingFocus(parent, next) {
    const root = parent.getRootNode();
    const before = Array.from(parent.children);
    const at = root.activeElement ? before.indexOf(root.activeElement) : -1;
    parent.replaceChildren(...next);
    if (at >= 0)
        next[Math.max(0, next.length - (before.length - at))]?.focus();
}
