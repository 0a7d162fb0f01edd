import { createHash } from 'node:crypto';

/** The one stylesheet of all pages. */
export const stylesheet = `:root {
  color-scheme: light dark;
  --ground: #f4f5f7;
  --sheet: #ffffff;
  --ink: #1b1f27;
  --quiet: #565e6c;
  --line: #7d8695;
  --accent: #1d4ed8;
  --on-accent: #ffffff;
  --problem: #a3121f;
  --problem-ground: #fdecee;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #14171d;
    --sheet: #1e222b;
    --ink: #eceef2;
    --quiet: #b0b7c4;
    --line: #7d8695;
    --accent: #8fb4ff;
    --on-accent: #10131a;
    --problem: #ffb3ba;
    --problem-ground: #43191e;
  }
}
* { box-sizing: border-box; }
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
  border-radius: .75rem;
  overflow-wrap: anywhere;
}
.brand { margin: 0; color: var(--quiet); font-weight: 600; }
h1 { margin: .25rem 0 1rem; font-size: 1.5rem; line-height: 1.25; }
a { color: var(--accent); }
label { display: block; margin-top: 1.25rem; font-weight: 600; }
.hint { margin: .25rem 0 .5rem; color: var(--quiet); }
input {
  width: 100%;
  min-height: 2.75rem;
  padding: .5rem .75rem;
  border: 1px solid var(--line);
  border-radius: .5rem;
  background: var(--sheet);
  color: var(--ink);
  font: inherit;
}
input.code { font: 1.5rem/1.5 ui-monospace, monospace; letter-spacing: .1em; text-transform: uppercase; }
input[aria-invalid] { border: 2px solid var(--problem); }
button {
  min-height: 2.75rem;
  margin: 1.5rem .5rem 0 0;
  padding: .5rem 1.25rem;
  border: 1px solid var(--line);
  border-radius: .5rem;
  background: var(--sheet);
  color: var(--ink);
  font: inherit;
  font-weight: 600;
  cursor: pointer;
}
button.first { border-color: var(--accent); background: var(--accent); color: var(--on-accent); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
[role=alert] { margin: 1rem 0; padding: .75rem 1rem; border-left: 4px solid var(--problem); border-radius: .25rem; background: var(--problem-ground); color: var(--problem); }
dt { margin-top: 1rem; color: var(--quiet); }
dd { margin: 0; font-weight: 600; }
dd ul { margin: 0; padding-left: 1.25rem; font-weight: 400; }
code { font-family: ui-monospace, monospace; }
`;

/** Changes with the stylesheet, so that browsers may keep it for good. */
export const stylesheetVersion = createHash('sha256').update(stylesheet).digest('hex').slice(0, 12);
