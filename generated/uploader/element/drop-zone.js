// Made from uploader/ by `npm run generate`. Never edit it by hand.
import { broughtBy, withPath } from './found-files.js';
import { partElement } from './part-element.js';
/** @param take called with the chosen or dropped files, while the event runs */
export function makeDropZone(take) {
    const element = partElement('div', 'drop');
    const [choose, chooseFolder, hint, limits] = [
        partElement('button', 'choose'),
        partElement('button', 'choose-folder'),
        partElement('span', 'hint'),
        partElement('span', 'limits'),
    ];
    const input = partElement('input', 'input');
    element.append(choose, chooseFolder, hint, limits, input);
    limits.id = 'limits';
    input.type = 'file';
    for (const button of [choose, chooseFolder]) {
        button.type = 'button';
        button.addEventListener('click', () => {
            input.webkitdirectory = button === chooseFolder;
            input.click();
        });
    }
    // The input's click must not reach the page as a second click.
    input.addEventListener('click', (event) => event.stopPropagation());
    input.addEventListener('change', () => {
        take({ files: Array.from(input.files ?? [], withPath), folders: [] });
        // Without this, choosing the same file again would fire no event.
        input.value = '';
    });
    const isMeant = (event) => !choose.disabled && event.dataTransfer?.types.includes('Files');
    const over = (event) => {
        if (!isMeant(event))
            return;
        event.preventDefault();
        event.dataTransfer.dropEffect = 'copy';
        element.toggleAttribute('data-over', true);
    };
    const leave = (event) => {
        // Moving from one child to another does not leave the zone.
        const to = event.relatedTarget;
        if (to === null || !event.currentTarget.contains(to))
            element.removeAttribute('data-over');
    };
    const drop = (event) => {
        element.removeAttribute('data-over');
        if (!isMeant(event) || event.defaultPrevented)
            return;
        event.preventDefault();
        take(broughtBy(event.dataTransfer));
    };
    const listen = (target, signal) => {
        const options = signal && { signal };
        for (const [name, act] of [
            ['dragenter', over],
            ['dragover', over],
            ['dragleave', leave],
            ['drop', drop],
        ])
            target.addEventListener(name, act, options);
    };
    listen(element);
    return {
        element,
        anchor: choose,
        listen,
        allow({ accept, isMultiple, hasFolders, isDisabled, capture }) {
            input.accept = accept;
            input.multiple = isMultiple;
            if (capture === null)
                input.removeAttribute('capture');
            else
                input.setAttribute('capture', capture);
            chooseFolder.hidden = !hasFolders;
            choose.disabled = chooseFolder.disabled = isDisabled;
        },
        label(texts, words) {
            choose.textContent = texts.choose;
            chooseFolder.textContent = texts.chooseFolder;
            hint.textContent = texts.orDrop;
            limits.textContent = words;
            if (words === '')
                choose.removeAttribute('aria-describedby');
            else
                choose.setAttribute('aria-describedby', limits.id);
        },
        focus: () => choose.focus(),
    };
}
