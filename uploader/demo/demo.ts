// The page /docs/upload-demo. Passes the form's values to the element and lists the element's events.
import '../element/element.ts';

const upload = document.querySelector('cubby-upload')!;
const events = document.querySelector('#events')!;
const field = (id: string) => document.querySelector<HTMLInputElement>(`#${id}`)!;

upload.credential = () => field('credential').value.trim();
field('prefix').addEventListener('input', () => {
  const prefix = field('prefix').value.trim();
  if (prefix === '') upload.removeAttribute('prefix');
  else upload.setAttribute('prefix', prefix);
});
field('public').addEventListener('change', () => (upload.private = !field('public').checked));
document.querySelector('#settings')!.addEventListener('submit', (event) => event.preventDefault());

upload.addEventListener('uploaded', ({ detail: { path, uploaded } }) =>
  tell(
    `uploaded: ${path} is ${uploaded.id}, ` +
      `${uploaded.isPrivate ? 'private' : 'public: anybody with its address can read it'}`,
  ),
);
upload.addEventListener('failed', ({ detail: { path, error } }) =>
  tell(`failed: ${path}, ${error.code}: ${error.message}`),
);
upload.addEventListener('refused', ({ detail: { reason, paths } }) => tell(`refused: ${reason}, ${paths.join(', ')}`));
upload.addEventListener('finished', ({ detail: { files, completedFiles, failedFiles } }) =>
  tell(`finished: ${completedFiles} of ${files}, ${failedFiles} failed`),
);

function tell(text: string): void {
  const line = document.createElement('li');
  line.textContent = text;
  events.append(line);
}
