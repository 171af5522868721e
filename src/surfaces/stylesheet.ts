/** The look of the pages that work without a script: one column, light and dark, no fonts to load. */
export const stylesheet = `
:root {
  color-scheme: light dark;
  --ground: #f4f3f1;
  --card: #ffffff;
  --text: #1f1d1a;
  --quiet: #625c54;
  --line: #d9d4cc;
  --accent: #1f5f4a;
  --on-accent: #ffffff;
  --warning: #7a4b00;
  --warning-ground: #fff4de;
  --fault: #a3262a;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #171614;
    --card: #211f1c;
    --text: #efece6;
    --quiet: #b0a99f;
    --line: #3b3732;
    --accent: #7fd0b0;
    --on-accent: #10251d;
    --warning: #ffd28a;
    --warning-ground: #3a2c12;
    --fault: #ff9d97;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0;
  padding: 1.5rem 1rem 3rem;
  background: var(--ground);
  color: var(--text);
  font: 1rem/1.5 system-ui, sans-serif;
}
main {
  max-width: 34rem;
  margin: 4vh auto 0;
  padding: 1.75rem;
  background: var(--card);
  border: 1px solid var(--line);
  border-radius: 0.9rem;
}
.brand { margin: 0 0 1rem; color: var(--quiet); font-weight: 600; letter-spacing: 0.04em; }
h1 { margin: 0 0 0.75rem; font-size: 1.45rem; line-height: 1.25; overflow-wrap: anywhere; }
h2 { margin: 1.5rem 0 0.5rem; font-size: 1.05rem; }
p { margin: 0 0 0.9rem; }
dl { margin: 0 0 1rem; padding: 0.9rem 1rem; border: 1px solid var(--line); border-radius: 0.6rem; }
dt { color: var(--quiet); font-size: 0.85rem; }
dd { margin: 0 0 0.6rem; overflow-wrap: anywhere; }
dd:last-child { margin-bottom: 0; }
fieldset { margin: 0 0 1.25rem; padding: 0; border: 0; }
legend { padding: 0; font-weight: 600; margin-bottom: 0.5rem; }
.scope { display: flex; gap: 0.7rem; padding: 0.55rem 0; border-top: 1px solid var(--line); }
.scope input { flex: none; width: 1.15rem; height: 1.15rem; margin: 0.2rem 0 0; accent-color: var(--accent); }
.scope small { display: block; color: var(--quiet); }
.field { display: block; margin-bottom: 1rem; }
.field span { display: block; margin-bottom: 0.3rem; font-weight: 600; }
.field input {
  width: 100%;
  padding: 0.65rem 0.75rem;
  border: 1px solid var(--quiet);
  border-radius: 0.5rem;
  background: var(--card);
  color: var(--text);
  font: inherit;
}
.actions { display: flex; flex-wrap: wrap; gap: 0.75rem; }
button {
  padding: 0.65rem 1.2rem;
  border: 1px solid var(--accent);
  border-radius: 0.5rem;
  background: var(--accent);
  color: var(--on-accent);
  font: inherit;
  font-weight: 600;
  cursor: pointer;
}
button.quiet { background: transparent; border-color: var(--quiet); color: var(--text); }
button.link {
  padding: 0;
  border: 0;
  background: none;
  color: var(--accent);
  font-weight: 400;
  text-decoration: underline;
}
a { color: var(--accent); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
.notice { padding: 0.8rem 1rem; border-radius: 0.6rem; background: var(--warning-ground); color: var(--warning); }
.fault { color: var(--fault); font-weight: 600; }
.aside { margin: 1.25rem 0 0; color: var(--quiet); font-size: 0.92rem; }
.aside form { display: inline; }
`.trimStart()
