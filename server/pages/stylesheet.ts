import { createHash } from 'node:crypto';

/** Colours: the greys of the logo, and its orange as the only accent. */
const colours = `:root {
  color-scheme: light dark;
  --ground: #eef1f2;
  --sheet: #ffffff;
  --ink: #1d2529;
  --quiet: #526069;
  --line: #74858e;
  --hair: #d9e0e3;
  --tint: #fdf1ea;
  --accent: #ef8354;
  --pressed: #e46f3b;
  --on-accent: #1f1209;
  --icon: #b4501f;
  --problem: #a3121f;
  --problem-ground: #fdecee;
}
@media screen and (prefers-color-scheme: dark) {
  :root {
    --ground: #12171a;
    --sheet: #1b2226;
    --ink: #ecf0f2;
    --quiet: #a9b7be;
    --line: #71838c;
    --hair: #333e44;
    --tint: #33251d;
    --accent: #ef8354;
    --pressed: #f59a70;
    --on-accent: #1f1209;
    --icon: #f59a70;
    --problem: #ffb3ba;
    --problem-ground: #43191e;
  }
}
`;

const layout = `* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body {
  margin: 0;
  padding: 1.5rem 1rem;
  background: var(--ground);
  color: var(--ink);
  font: 1rem/1.5 system-ui, sans-serif;
}
main {
  max-width: 30rem;
  margin: 5vh auto 0;
  padding: 2rem;
  background: var(--sheet);
  border: 1px solid var(--hair);
  border-radius: 1rem;
  overflow-wrap: anywhere;
}
@media (max-width: 26rem) {
  body { padding: .75rem; }
  main { margin-top: 0; padding: 1.25rem; }
}
.brand { display: flex; gap: .5rem; align-items: center; margin: 0 0 1.75rem; color: var(--quiet); font-weight: 600; }
.brand svg { flex: none; }
h1 { margin: 0 0 .75rem; font-size: 1.5rem; line-height: 1.25; text-wrap: pretty; }
.long { font-size: 1.125rem; }
p { margin: .75rem 0; text-wrap: pretty; }
a { color: inherit; text-decoration-color: var(--accent); text-decoration-thickness: 2px; text-underline-offset: .2em; }
.intro { margin: 0 0 1.25rem; color: var(--quiet); }
.icon { display: block; width: 4rem; height: 4rem; margin-bottom: 1rem; padding: .75rem; border-radius: 1rem; background: var(--tint); color: var(--icon); }
.what { margin: -.25rem 0 0; color: var(--quiet); }
.hint, .quiet { color: var(--quiet); }
`;

const forms = `label { display: block; margin: 1.5rem 0 .5rem; font-weight: 600; }
.hint { margin: .5rem 0; }
input {
  width: 100%;
  min-height: 3rem;
  padding: .5rem .75rem;
  border: 1px solid var(--line);
  border-radius: .6rem;
  background: var(--sheet);
  color: var(--ink);
  font: inherit;
}
input.code { font: 1.5rem/1.5 ui-monospace, monospace; letter-spacing: .1em; text-transform: uppercase; }
input[aria-invalid] { border: 2px solid var(--problem); }
button, .button {
  display: inline-block;
  min-height: 3rem;
  margin: 1.5rem .5rem 0 0;
  padding: .7rem 1.25rem;
  border: 1px solid var(--line);
  border-radius: .6rem;
  background: var(--sheet);
  color: var(--ink);
  font: inherit;
  font-weight: 600;
  line-height: 1.5;
  text-align: center;
  text-decoration: none;
  cursor: pointer;
}
button.first, .button.first { border-color: var(--accent); background: var(--accent); color: var(--on-accent); }
button.first:hover, .button.first:hover { border-color: var(--pressed); background: var(--pressed); }
button:hover, .button:hover { border-color: var(--ink); }
.buttons { display: grid; gap: .75rem; margin: 1.5rem 0; }
.buttons:last-child { margin-bottom: 0; }
.buttons > * { width: 100%; margin: 0; font-size: 1.125rem; }
:focus-visible { outline: 3px solid var(--ink); outline-offset: 3px; border-radius: .6rem; }
input:focus-visible { outline-offset: 1px; }
[role=alert] { margin: 1rem 0; padding: .75rem 1rem; border-left: 4px solid var(--problem); border-radius: .25rem; background: var(--problem-ground); color: var(--problem); }
`;

const facts = `dt { margin-top: 1rem; color: var(--quiet); }
dd { margin: 0; font-weight: 600; }
dd ul { margin: 0; padding-left: 1.25rem; font-weight: 400; }
dd time { font-weight: 400; }
.facts { margin: 1.5rem 0 0; border-top: 1px solid var(--hair); }
.facts > div { display: flex; gap: 1rem; justify-content: space-between; padding: .75rem 0; border-bottom: 1px solid var(--hair); }
.facts dt { flex: none; margin: 0; }
.facts dd { text-align: end; text-wrap: balance; }
.facts time { font-size: .875rem; }
@media (max-width: 26rem) {
  .facts > div { display: block; }
  .facts dd { text-align: start; }
}
code { font-family: ui-monospace, monospace; }
code.all { display: block; padding: .75rem; border: 1px solid var(--hair); border-radius: .6rem; background: var(--ground); font-size: .9rem; user-select: all; }
details { border-bottom: 1px solid var(--hair); }
summary { min-height: 3rem; margin-inline-start: 1.2rem; padding: .75rem 0; list-style-position: outside; cursor: pointer; }
summary::marker { color: var(--icon); }
details .hint { margin-bottom: 1rem; }
details + .hint, .facts + .hint { margin-top: 1.25rem; }
main > :last-child { margin-bottom: 0; }
.preview { margin: 1.5rem 0 0; }
.preview > * { display: block; width: 100%; max-width: 100%; border: 1px solid var(--hair); border-radius: .6rem; }
.preview img { width: auto; max-height: 60vh; margin: 0 auto; }
.preview video { max-height: 60vh; background: #000; }
.preview audio { border: 0; border-radius: 0; }
.preview iframe { height: 16rem; }
`;

/** Forced colours, and print. */
const others = `@media (forced-colors: active) {
  .icon, main { border: 1px solid CanvasText; }
  .icon { background: Canvas; color: CanvasText; }
  button.first, .button.first { border: 3px solid ButtonText; }
  :focus-visible { outline-color: Highlight; }
}
@media (prefers-reduced-motion: no-preference) {
  button, .button { transition: background-color .15s, border-color .15s; }
}
@media print {
  :root { color-scheme: light; }
  body { padding: 0; background: none; color: #000; }
  main { max-width: none; margin: 0; border: 0; }
  .buttons, .preview audio, .preview video, .preview iframe { display: none; }
}
`;

/** The stylesheet of all pages. */
export const stylesheet = colours + layout + forms + facts + others;

/** Changes with the stylesheet, so that browsers may cache it for good. */
export const stylesheetVersion = createHash('sha256').update(stylesheet).digest('hex').slice(0, 12);
