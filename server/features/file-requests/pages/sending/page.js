/**
 * Makes the form of a file request send its files one by one, with progress, pauses and retries. Without this script
 * the browser sends the form at once.
 */
import { filesOf, isDropOfFiles } from './dropped.js';
import { SendingQueue } from './queue.js';
import { SendingView } from './view.js';

const form = document.querySelector('form[data-sending]');
if (form) enhance(form);

function enhance(form) {
  const messages = JSON.parse(form.dataset.sending);
  const view = new SendingView(form, messages);
  const queue = new SendingQueue({
    address: `${form.action}/uploads`,
    sender: () => form.elements.namedItem('sender')?.value,
    onChange: () => view.show(queue),
  });
  view.onAct = (act, item) => queue[act](item);
  for (const input of form.querySelectorAll('input[type=file]'))
    input.addEventListener('change', () => {
      queue.add([...input.files].map((file) => ({ file, path: file.webkitRelativePath || file.name })));
      // The list has them now. The same file may be chosen again.
      input.value = '';
    });
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    queue.start();
  });
  takeDrops(form, (files) => queue.add(files));
  addEventListener('beforeunload', (event) => {
    if (queue.isSending) event.preventDefault();
  });
  addEventListener('online', () => queue.wake());
}

/**
 * Takes files and folders that are dropped anywhere on the page, because a browser would open a file that misses its
 * target.
 */
function takeDrops(form, add) {
  let depth = 0;
  const mark = (by) => {
    depth = Math.max(0, depth + by);
    form.classList.toggle('over', depth > 0);
  };
  document.addEventListener('dragenter', (event) => isDropOfFiles(event) && mark(1));
  document.addEventListener('dragleave', (event) => isDropOfFiles(event) && mark(-1));
  document.addEventListener('dragover', (event) => isDropOfFiles(event) && event.preventDefault());
  document.addEventListener('drop', async (event) => {
    if (!isDropOfFiles(event)) return;
    event.preventDefault();
    mark(-depth);
    add(await filesOf(event.dataTransfer));
  });
}
