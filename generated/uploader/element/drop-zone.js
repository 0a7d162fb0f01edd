// Made from uploader/ by `npm run generate`. Never edit it by hand.
import { droppedFiles } from './accepted.js';
/** Makes an element with its class as its part, so that pages can style it. */
export function partElement(tag, name) {
    const element = document.createElement(tag);
    element.className = name;
    element.setAttribute('part', name);
    return element;
}
/** @param take told which files were chosen or dropped */
export function makeDropZone(take) {
    const element = partElement('div', 'drop');
    const choose = partElement('button', 'choose');
    const hint = partElement('span', 'hint');
    const input = partElement('input', 'input');
    choose.type = 'button';
    input.type = 'file';
    element.append(choose, hint, input);
    choose.addEventListener('click', () => input.click());
    input.addEventListener('change', () => {
        take(Array.from(input.files ?? []));
        // The same file may be chosen again.
        input.value = '';
    });
    const over = (isOver) => (event) => {
        if (choose.disabled || !event.dataTransfer?.types.includes('Files'))
            return;
        event.preventDefault();
        element.toggleAttribute('data-over', isOver);
    };
    for (const name of ['dragenter', 'dragover'])
        element.addEventListener(name, over(true));
    for (const name of ['dragleave', 'drop'])
        element.addEventListener(name, over(false));
    element.addEventListener('drop', (event) => {
        if (event.defaultPrevented)
            take(droppedFiles(event.dataTransfer));
    });
    return {
        element,
        allow({ accept, isMultiple, isDisabled }) {
            input.accept = accept;
            input.multiple = isMultiple;
            choose.disabled = isDisabled;
        },
        label(texts) {
            choose.textContent = texts.choose;
            hint.textContent = texts.orDrop;
        },
        focus: () => choose.focus(),
    };
}
