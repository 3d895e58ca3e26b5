import { Html } from './html.ts';

const colours = `
:root {
  color-scheme: light dark;
  --page: #ffffff; --panel: #f6f7f9; --line: #e1e4e9; --strong: #14181f; --text: #343b46; --quiet: #5b6472;
  --link: #1f56c4; --mark: #e8effc; --key: #7a2e83; --string: #1c6a3c; --value: #9a4a00; --required: #a8321f;
  --get: #1d5fbf; --get-back: #e6effb; --post: #1a6e41; --post-back: #e3f4ea;
  --patch: #8a5200; --patch-back: #fbf0dc; --delete: #ab2f2f; --delete-back: #fce9e9;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #11141a; --panel: #191e26; --line: #2c333e; --strong: #f1f3f6; --text: #c9cfd8; --quiet: #97a1b0;
    --link: #8ab4ff; --mark: #1e2b44; --key: #d9a5e2; --string: #8fd6a8; --value: #f0b37a; --required: #ff9c8a;
    --get: #93bcff; --get-back: #1b2a45; --post: #86d9a6; --post-back: #17332a;
    --patch: #f0c177; --patch-back: #392c17; --delete: #ff9f9f; --delete-back: #40201f;
  }
}`;

const base = `
*, ::before, ::after { box-sizing: border-box; }
html { font: 100%/1.6 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", Helvetica, Arial, sans-serif;
  scroll-padding-top: 1.5rem; -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body { margin: 0; background: var(--page); color: var(--text); font-size: .9375rem; }
h1, h2, h3, h4 { color: var(--strong); line-height: 1.25; letter-spacing: -.01em; text-wrap: balance; margin: 0; }
h1 { font-size: 2.125rem; letter-spacing: -.025em; }
h2 { font-size: 1.5rem; letter-spacing: -.02em; }
h3 { font-size: 1.25rem; }
h4 { font-size: .875rem; letter-spacing: 0; margin: 1.75rem 0 .5rem; }
p, ul { margin: .75rem 0; }
ul { padding-left: 1.2rem; }
li { margin: .35rem 0; }
a { color: var(--link); text-underline-offset: .2em; }
a.self { color: inherit; text-decoration: none; }
a.self:hover::after, a.self:focus-visible::after { content: " #"; color: var(--quiet); font-weight: 400; }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; border-radius: 4px; }
code, pre, .method { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace; }
code { font-size: .86em; overflow-wrap: anywhere; color: var(--strong); }
p code, li code, td code { background: var(--panel); border: 1px solid var(--line); border-radius: 4px; padding: .05em .3em;
  -webkit-box-decoration-break: clone; box-decoration-break: clone; }
pre { margin: .5rem 0 0; padding: .9rem 1rem; background: var(--panel); border: 1px solid var(--line); border-radius: 8px;
  white-space: pre-wrap; overflow-wrap: anywhere; font-size: .8125rem; line-height: 1.6; }
pre code { font-size: inherit; }
.key { color: var(--key); } .string { color: var(--string); } .value { color: var(--value); }
.lead { font-size: 1.0625rem; } .operation .lead { font-size: 1rem; }
.note { color: var(--quiet); font-size: .875rem; }
.skip { position: absolute; left: -100vw; } .skip:focus { left: 1rem; top: 1rem; z-index: 2; padding: .5rem 1rem; background: var(--page); }`;

const layout = `
.shell { display: grid; grid-template-columns: minmax(0, 1fr); max-width: 108rem; margin: 0 auto; }
main { min-width: 0; padding: 2rem 1.25rem 6rem; }
.side { display: none; }
.bar { position: sticky; top: 0; z-index: 1; display: flex; justify-content: space-between; align-items: center;
  padding: .6rem 1.25rem; background: var(--page); border-bottom: 1px solid var(--line); }
.brand { font-weight: 650; font-size: 1.0625rem; letter-spacing: -.01em; color: var(--strong); text-decoration: none; }
.brand span { color: var(--quiet); font-weight: 400; }
.topic { max-width: 52rem; margin-top: 3rem; }
.topic h2 { font-size: 1.25rem; }
section.group { margin-top: 5rem; border-top: 1px solid var(--line); padding-top: 2.5rem; }
.operation { margin-top: 2.5rem; padding-bottom: 2.5rem; border-bottom: 1px solid var(--line); }
.operation:last-child { border-bottom: 0; padding-bottom: 0; }
.examples { display: grid; gap: 0 1.5rem; align-items: start; }
.examples > div { min-width: 0; }
.endpoint { display: flex; align-items: baseline; gap: .6rem; margin: .6rem 0 1rem; }
.endpoint code { background: none; border: 0; padding: 0; font-size: .9375rem; }
.method { display: inline-block; flex: none; font-size: .6875rem; font-weight: 700; line-height: 1; letter-spacing: .03em;
  padding: .3rem .4rem; border-radius: 4px; color: var(--quiet); background: var(--panel); }
.get { color: var(--get); background: var(--get-back); } .post { color: var(--post); background: var(--post-back); }
.patch, .put { color: var(--patch); background: var(--patch-back); }
.delete { color: var(--delete); background: var(--delete-back); }
nav ul { list-style: none; margin: 0; padding: 0; }
nav li { margin: 0; }
nav ul a { display: flex; align-items: center; gap: .6rem; padding: .3rem .6rem; border-radius: 6px; color: var(--text);
  text-decoration: none; font-size: .875rem; line-height: 1.35; }
nav ul a:focus-visible { outline-offset: -2px; }
nav ul a:hover { background: var(--panel); color: var(--strong); }
nav .method { width: 3.4rem; text-align: center; font-size: .625rem; padding: .25rem 0; }
nav .group { margin: 1.5rem .6rem .35rem; font-size: .8125rem; font-weight: 650; }
nav .group a { color: var(--strong); text-decoration: none; }
nav .group a:hover { text-decoration: underline; }
.fold { margin-top: 1.5rem; } .fold .group:first-of-type { margin-top: .75rem; }
@media (max-width: 63.99rem) { html { scroll-padding-top: 4rem; } .fold ul a { padding-block: .5rem; } }
@media (min-width: 68rem) and (max-width: 91.99rem) { .examples { grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); } }
@media (min-width: 64rem) {
  .bar, .fold { display: none; }
  .shell { grid-template-columns: 17.5rem minmax(0, 1fr); }
  .side { display: block; position: sticky; top: 0; align-self: start; height: 100vh; overflow-y: auto; padding: 2rem 1rem 3rem 1.25rem;
    border-right: 1px solid var(--line); scrollbar-width: thin; }
  .side .brand { margin: 0 .6rem; }
  main { padding: 3rem 3rem 8rem; }
  .side { scroll-target-group: auto; }
  .side ul a:target-current { background: var(--mark); color: var(--strong); font-weight: 550; }
}
@media (min-width: 92rem) {
  .columns { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 30rem); gap: 3rem; }
  .examples { align-content: start; }
  .examples > div:first-child h4, .text > :first-child { margin-top: 0; }
}
@media (min-width: 150rem) { html { font-size: 118.75%; } }
@media (min-width: 220rem) { html { font-size: 150%; } }
@media print { .side, .bar, .fold { display: none; } }`;

const tables = `
table { width: 100%; border-collapse: collapse; font-size: .875rem; line-height: 1.5; margin: .5rem 0 0; }
th, td { text-align: left; vertical-align: top; padding: .6rem .75rem .6rem 0; border-bottom: 1px solid var(--line); }
tbody tr:last-child > * { border-bottom: 0; }
thead th { font-size: .75rem; font-weight: 550; color: var(--quiet); padding-block: .3rem; }
tbody th { font-weight: 400; } tbody th code { font-weight: 600; }
tbody th code { font-size: .8125rem; }
td p { margin: 0; } td p + p { margin-top: .2rem; }
th:first-child { width: 32%; } th:nth-child(2):not(:last-child) { width: 22%; }
.topic table { margin-top: 1.5rem; }
.owner { color: var(--quiet); font-weight: 400; }
.required { color: var(--required); font-size: .75rem; font-weight: 550; white-space: nowrap; }
.type, .limits { color: var(--quiet); }
details { margin-top: 1.5rem; } details + details { margin-top: .5rem; }
summary { cursor: pointer; padding: .35rem 0; }
summary h4 { display: inline; } summary .note { margin-left: .5rem; font-size: .8125rem; }
.fold details { margin: 0; border: 1px solid var(--line); border-radius: 8px; padding: .35rem .9rem; }
.fold details[open] { padding-bottom: .9rem; }
.fold summary { font-weight: 600; color: var(--strong); }
@media (max-width: 39.99rem) {
  h1 { font-size: 1.75rem; }
  table, tbody, tr, th, td { display: block; width: auto !important; border: 0; }
  thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  tbody tr { padding: .65rem 0; border-bottom: 1px solid var(--line); }
  tbody tr:last-child { border-bottom: 0; }
  th, td { padding: 0; } tbody th { padding-bottom: .15rem; } td p:first-child { margin-top: .15rem; }
}`;

/** Trusted CSS that needs no escaping. */
export const style = new Html(colours + base + layout + tables);
