// The page /docs/upload-demo: hands the form's values to the element, and lists what it tells.
import '../element/element.ts';
import type { UploadedFile } from '../options.ts';
import type { UploadError } from '../upload-error.ts';

const upload = document.querySelector('cubby-upload')!;
const events = document.querySelector('#events')!;
const field = (id: string) => document.querySelector<HTMLInputElement>(`#${id}`)!;

upload.credential = () => field('credential').value.trim();
field('prefix').addEventListener('input', () => {
  const prefix = field('prefix').value.trim();
  if (prefix === '') upload.removeAttribute('prefix');
  else upload.setAttribute('prefix', prefix);
});
field('private').addEventListener('change', () => void upload.toggleAttribute('private', field('private').checked));
document.querySelector('#settings')!.addEventListener('submit', (event) => event.preventDefault());

upload.addEventListener('uploaded', (event) => {
  const { file, uploaded } = (event as CustomEvent<{ file: File; uploaded: UploadedFile }>).detail;
  tell(`uploaded: ${file.name} is ${uploaded.id}`);
});
upload.addEventListener('failed', (event) => {
  const { file, error } = (event as CustomEvent<{ file: File; error: UploadError }>).detail;
  tell(`failed: ${file.name}, ${error.code}`);
});

function tell(text: string): void {
  const line = document.createElement('li');
  line.textContent = text;
  events.append(line);
}
