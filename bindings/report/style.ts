// The style sheet of the HTML clash report, as a string.
import { CLASSES } from './clashClasses.js';

export const style = `
:root {
  color-scheme: light dark;
  --paper: light-dark(#ffffff, #16191d);
  --panel: light-dark(#f6f7f9, #1c2025);
  --stage: light-dark(#eef0f3, #101317);
  --line: light-dark(#dde1e6, #2c3239);
  --ink: light-dark(#1b2026, #e6e9ed);
  --quiet: light-dark(#5b6570, #9aa4af);
  --accent: light-dark(#1f5fc4, #7cadf7);
  --chosen: light-dark(#e3ecfa, #22344e);
  --hover: light-dark(#f0f3f7, #20252b);
  --part-a: light-dark(#4d86d8, #5b92e0);
  --part-b: light-dark(#dda23a, #dba445);
  --lit: light-dark(#d5202f, #ff4655);
  --kind-hard: light-dark(#d5202f, #ff4655);
  --kind-contained: light-dark(#a3199b, #e070d8);
  --kind-clearance: light-dark(#c77700, #f0a030);
  --kind-coplanar: light-dark(#15807f, #3fb8b0);
  --kind-touch: light-dark(#5b6570, #9aa4af);
  --tool: light-dark(#0b7a3b, #5fd38d);
  --lit-text: light-dark(#b91523, #ff7a84);
  --ghost: light-dark(#6b7785, #a7b3c0);
  --plain-1: light-dark(#a9b4c0, #7d8996);
  --plain-2: light-dark(#b7b3a8, #8a867b);
  --plain-3: light-dark(#a5b8b2, #778a84);
  --plain-4: light-dark(#b5adbd, #877f8f);
  --small: 12px;
  --text: 14px;
  --large: 18px;
  --gap: 16px;
}
* { box-sizing: border-box; }
[hidden] { display: none !important; }
html, body { height: 100%; margin: 0; }
body {
  display: grid; grid-template-rows: auto minmax(0, 1fr) auto; height: 100dvh;
  background: var(--paper); color: var(--ink);
  font: var(--text)/20px system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Liberation Sans", Arial, sans-serif;
  font-variant-numeric: tabular-nums;
}
h1, p, dl, dd { margin: 0; }
.quiet { color: var(--quiet); }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }

.top { display: flex; align-items: center; justify-content: space-between; gap: var(--gap); padding: 12px var(--gap); border-bottom: 1px solid var(--line); }
.heading { min-width: 0; }
h1 { font-size: var(--large); font-weight: 600; line-height: 24px; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.unread summary { color: var(--lit-text); font-weight: 600; }
.unread summary, .earlier summary { cursor: pointer; }
.unread ul, .earlier ul { margin: 4px 0 0; padding-left: 20px; max-height: 30vh; overflow: auto; overflow-wrap: anywhere; }
.tools { display: flex; gap: 8px; flex: none; }
button { font: inherit; color: inherit; cursor: pointer; }
.tools button { height: 36px; padding: 0 14px; border: 1px solid var(--line); border-radius: 6px; background: var(--paper); }
.tools button:hover:not(:disabled) { background: var(--hover); }
button:disabled { color: var(--quiet); cursor: default; opacity: 0.5; }

main { display: grid; grid-template-columns: minmax(0, 1fr) minmax(460px, 47%); min-height: 0; }
.view { position: relative; display: flex; flex-direction: column; min-width: 0; min-height: 0; overflow: hidden; background: var(--stage); }
.picture { position: relative; flex: 1; min-height: 0; }
canvas { position: absolute; inset: 0; width: 100%; height: 100%; display: block; cursor: grab; outline-offset: -2px; }
canvas:active { cursor: grabbing; }
.notice { position: absolute; inset: auto 0 50%; padding: 0 var(--gap); text-align: center; color: var(--quiet); }

.view-tools { position: absolute; left: 12px; top: 12px; right: 12px; display: grid; gap: 8px; justify-items: start; pointer-events: none; }
.view-tools > * { pointer-events: auto; }
.view-buttons { display: flex; flex-wrap: wrap; gap: 8px; }
.view-buttons button, .chip button, .add { height: 32px; padding: 0 12px; border: 1px solid var(--line); border-radius: 6px; background: var(--paper); }
.view-buttons button:hover:not(:disabled), .chip button:hover, .add:hover { background: var(--hover); }
.view-buttons button:disabled { opacity: 1; }
.view-buttons [aria-pressed=true] { border-color: var(--accent); background: var(--chosen); }
.chip { display: flex; flex-wrap: wrap; align-items: center; gap: 4px 8px; max-width: 100%; padding: 8px 12px; border: 1px solid var(--line); border-radius: 8px; background: var(--paper); }
.chip .name { max-width: 260px; font-weight: 600; }
.chip button { height: 28px; padding: 0 10px; }
.sides { display: grid; grid-template-columns: auto 1fr 1fr; gap: 4px 12px; align-items: center; }
.side { display: grid; grid-template-columns: 96px 64px; gap: 8px; align-items: center; font-size: var(--small); }
.side input { width: 96px; height: 20px; padding: 0; accent-color: var(--accent); }

dialog { max-width: min(480px, calc(100% - 32px)); border: 1px solid var(--line); border-radius: 8px; padding: 16px; background: var(--paper); color: var(--ink); }
dialog::backdrop { background: rgb(0 0 0 / 35%); }
dialog h2 { margin: 0 0 12px; font-size: 16px; }
dialog label { display: grid; gap: 4px; margin-bottom: 12px; }
dialog .view-buttons { margin-top: 12px; }
select, textarea { font: inherit; color: inherit; border: 1px solid var(--line); border-radius: 6px; background: var(--panel); height: 32px; padding: 0 8px; min-width: 0; }
.shortcuts { display: grid; grid-template-columns: auto 1fr; gap: 6px 16px; }
kbd { font: inherit; font-weight: 600; }

.details {
  position: absolute; left: 12px; bottom: 12px; width: 320px; max-width: calc(100% - 24px); max-height: calc(100% - var(--tools-height, 32px) - 32px); overflow: auto; padding: 8px 12px 12px;
  border: 1px solid var(--line); border-radius: 8px; background: var(--paper); box-shadow: 0 2px 8px rgb(0 0 0 / 12%);
}
.steps { display: flex; align-items: center; gap: 4px; margin: 0 -4px 4px 0; font-size: var(--small); }
.steps .quiet { flex: 1; }
.step { width: 32px; height: 32px; padding: 0; border: 0; border-radius: 6px; background: none; }
.step:hover:not(:disabled) { background: var(--hover); }
.part { display: grid; padding-left: 20px; margin-bottom: 8px; position: relative; }
.part .name { font-weight: 600; }
.part .quiet, .meets .quiet, .ranges { font-size: var(--small); line-height: 16px; }
.part::before { content: ""; position: absolute; left: 0; top: 4px; width: 12px; height: 12px; border-radius: 3px; }
.part.a::before { background: var(--part-a); }
.part.b::before { background: var(--part-b); }
.meets { position: relative; padding-left: 20px; }
.meets::before { content: ""; position: absolute; left: 0; top: 4px; width: 12px; height: 12px; border-radius: 3px; background: var(--lit); }
.part .hide { position: absolute; right: 0; bottom: 0; padding: 0 6px; border: 0; border-radius: 4px; background: none; color: var(--accent); font-size: var(--small); line-height: 16px; }
.part .hide:hover { background: var(--hover); }
.part .hide[aria-pressed=true] { font-weight: 600; }
.identity { overflow-wrap: anywhere; padding-right: 44px; }
.regions { margin-top: 8px; font-size: var(--small); line-height: 16px; color: var(--quiet); }
.regions summary { cursor: pointer; }
.regions ol { display: grid; gap: 4px; margin: 4px 0 0; padding-left: 20px; max-height: 160px; overflow: auto; }
.review { display: grid; gap: 8px; margin-top: 8px; padding-top: 8px; border-top: 1px solid var(--line); }
.review .first, .write { display: grid; grid-template-columns: 1fr 1fr; gap: 8px; }
.write { grid-template-columns: 1fr auto; }
.review input { height: 32px; padding: 0 8px; }
.review textarea { padding: 5px 8px; line-height: 20px; resize: vertical; min-height: 32px; }
.review .note { font-size: var(--small); line-height: 16px; }
.comments { margin: 0; padding: 0; list-style: none; display: grid; gap: 6px; max-height: 120px; overflow: auto; }
.comments li { display: grid; grid-template-columns: 1fr auto; align-items: start; }
.comments .text { overflow-wrap: anywhere; white-space: pre-wrap; }
.comments .step { width: 24px; height: 20px; }
.comments .quiet { grid-column: 1 / -1; font-size: var(--small); line-height: 16px; }
.ranges { display: grid; grid-template-columns: 12px 1fr; gap: 0 8px; margin-top: 8px; color: var(--quiet); }
.ranges dt { text-align: center; }

.list { display: flex; flex-direction: column; min-width: 0; min-height: 0; border-left: 1px solid var(--line); }
.bar { display: flex; align-items: center; gap: 12px; padding: 10px var(--gap); border-bottom: 1px solid var(--line); }
.bar .quiet { flex: none; }
input { flex: 1; min-width: 0; height: 36px; padding: 0 12px; border: 1px solid var(--line); border-radius: 6px; background: var(--panel); color: inherit; font: inherit; }
input::placeholder { color: var(--quiet); opacity: 1; }
.classes { display: flex; flex-wrap: wrap; gap: 8px; padding: 8px var(--gap); border-bottom: 1px solid var(--line); }
.class { height: 32px; padding: 0 12px; border: 1px solid var(--line); border-radius: 16px; background: var(--paper); color: var(--quiet); border-style: dashed; white-space: nowrap; }
.class:hover { background: var(--hover); }
.class[aria-pressed=true] { border: 1px solid var(--accent); background: var(--chosen); color: var(--ink); }
.class[aria-pressed=true] .total { font-weight: 600; }
.class::before { content: ""; display: inline-block; width: 9px; height: 9px; margin-right: 7px; border-radius: 50%; background: var(--kind, transparent); }
.class[data-class=allowed]::before, .class[data-change]::before { display: none; }
${CLASSES.map(kind => `.class[data-class=${kind}] { --kind: var(--kind-${kind}); }`).join('\n')}
.groups { display: flex; gap: 8px; padding: 8px var(--gap); border-bottom: 1px solid var(--line); }
.groups select { flex: 1; }
.groups button { flex: none; height: 32px; padding: 0 12px; border: 1px solid var(--line); border-radius: 6px; background: var(--paper); }
.groups button:hover { background: var(--hover); }
.kind { font-weight: 600; }
.what .change { display: inline; color: var(--accent); }
.what .reviewed { display: inline; font-size: var(--small); font-weight: 400; color: var(--quiet); }
.kind.hard, .kind.contained { color: var(--lit-text); }
.empty { padding: 24px var(--gap); color: var(--quiet); overflow-wrap: anywhere; }

.grid { --row-height: 64px; --heading-height: 48px; flex: 1; min-height: 0; position: relative; overflow: auto; overscroll-behavior: contain; outline-offset: -2px; }
.rows { position: relative; }
.row { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1fr) 180px 68px; gap: 0 12px; align-items: center; height: var(--row-height); padding: 0 var(--gap); border-bottom: 1px solid var(--line); }
.rows .row { position: absolute; left: 0; right: 0; cursor: pointer; }
.rows .row:hover { background: var(--hover); }
.rows .row[aria-selected=true] { background: var(--chosen); box-shadow: inset 3px 0 var(--accent); }
.rows .group { grid-template: auto / 10px minmax(0, 1fr); height: var(--heading-height); background: var(--panel); }
.rows .group::before { content: ""; width: 0; border: solid transparent; border-width: 5px 0 5px 7px; border-left-color: var(--quiet); }
.rows .group[aria-expanded=true]::before { rotate: 90deg; }
.rows .group.current { box-shadow: inset 3px 0 var(--accent); }
.group .name, .facts { display: block; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.group .name { font-weight: 600; }
.facts { font-size: var(--small); line-height: 16px; color: var(--quiet); }
.head.row { position: sticky; top: 0; z-index: 1; height: 36px; background: var(--panel); font-size: var(--small); }
.cell { min-width: 0; }
.cell.size { text-align: right; }
.what span { display: block; line-height: 18px; }
.what .how { display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 2; overflow: hidden; font-size: var(--small); line-height: 16px; color: var(--quiet); }
.rows [aria-selected=true] .name { position: relative; padding-left: 18px; }
.rows [aria-selected=true] .name::before { content: ""; position: absolute; left: 0; top: 4px; width: 10px; height: 10px; border-radius: 3px; }
.rows [aria-selected=true] .a .name::before { background: var(--part-a); }
.rows [aria-selected=true] .b .name::before { background: var(--part-b); }
.name { display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 2; overflow: hidden; overflow-wrap: anywhere; line-height: 18px; }
.name .cut { font-size: 0; }
.name .cut::before { content: "\u2026"; font-size: var(--text); }
.sort { max-width: 100%; padding: 4px 0; border: 0; background: none; color: var(--quiet); font-weight: 600; white-space: nowrap; }
.sort:hover { color: var(--ink); }
.unread .name, .earlier .name { display: inline; }
[aria-sort=ascending] .sort, [aria-sort=descending] .sort { color: var(--ink); }
[aria-sort=ascending] .sort::after { content: " \\2191"; }
[aria-sort=descending] .sort::after { content: " \\2193"; }

.foot { padding: 8px var(--gap); border-top: 1px solid var(--line); font-size: var(--small); line-height: 16px; }

@media (max-width: 800px) {
  .top { flex-wrap: wrap; gap: 8px; padding: 10px 12px; }
  .heading { flex: 1 1 100%; }
  h1, #summary { white-space: normal; overflow-wrap: anywhere; }
  .tools { width: 100%; flex-wrap: wrap; }
  .tools button { flex: 1; height: 40px; padding: 0 8px; }
  main { grid-template-columns: minmax(0, 1fr); grid-template-rows: minmax(0, 1fr) minmax(0, 1fr); }
  .list { border-left: 0; border-top: 1px solid var(--line); }
  .bar { padding: 8px 12px; }
  input { height: 40px; font-size: 16px; }
  .classes { gap: 6px; padding: 8px 12px; }
  main:has(.groups:not([hidden])) { grid-template-rows: minmax(0, 2fr) minmax(0, 3fr); }
  .groups { gap: 6px; padding: 8px 12px; }
  .groups select, .groups button { height: 40px; padding: 0 8px; }
  .class { flex: none; height: 40px; padding: 0 8px; border-radius: 20px; }
  .grid { --row-height: 60px; }
  .row { grid-template: "a what size" auto "b what size" auto / minmax(0, 1fr) 156px 60px; align-content: center; padding: 0 12px; }
  .name { display: block; white-space: nowrap; text-overflow: ellipsis; }
  .head.row { grid-template: "a b what size" auto / auto 1fr 156px 60px; }
  .cell.a { grid-area: a; }
  .cell.b { grid-area: b; }
  .cell.what { grid-area: what; }
  .cell.size { grid-area: size; }
  .sort { padding: 2px 0; }
  .details { position: static; width: auto; max-width: none; padding: 0 12px 8px; border: 0; border-top: 1px solid var(--line); border-radius: 0; box-shadow: none; }
  .part { margin-bottom: 4px; grid-template-columns: minmax(0, 1fr) auto auto; gap: 8px; align-items: baseline; }
  .part .hide { position: static; }
  .ranges, .identity { display: none; }
  .view { overflow: hidden auto; }
  .picture { position: sticky; top: 0; z-index: 1; flex: 1 0 160px; background: var(--stage); }
  .view-tools { position: static; flex: none; padding: 8px; }
  #section-panel { order: 1; }
  .view-buttons button { padding: 0 10px; }
  .details { flex: none; max-height: none; }
  .tools button { flex: 1 1 auto; }
  .foot { padding: 6px 12px; }
}
@media (pointer: coarse) { .step { width: 40px; height: 40px; } }
@media print { body { height: auto; display: block; } }
`;
