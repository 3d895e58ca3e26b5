import type { OpenApiDocument } from '../openapi.ts';
import { createAnchors, type Html, heading, html, prose } from './html.ts';
import { type IntroSection, introSections } from './intro.ts';
import { type Group, readGroups } from './model.ts';
import { methodBadge, operationSection } from './operation.ts';
import { variantsOf } from './schema.ts';
import { style } from './style.ts';

const contents = (intro: readonly IntroSection[], groups: readonly Group[]): Html =>
  html`<p class="group"><a href="#top">Introduction</a></p>
<ul>${intro.map(({ anchor, title }) => html`<li><a href="#${anchor}">${title}</a></li>`)}</ul>
${groups.map(
  ({ anchor, name, operations }) => html`<p class="group"><a href="#${anchor}">${name}</a></p>
<ul>${operations.map(
    (each) =>
      html`<li><a href="#${each.anchor}">${methodBadge(each.method)}<span>${each.summary}</span></a></li>`,
  )}</ul>`,
)}`;

/** The API reference as one page, without scripts or external resources. */
export const referencePage = (document: OpenApiDocument): string => {
  const { title, version, description } = document.info;
  const variants = variantsOf(document);
  const anchors = createAnchors();
  for (const reserved of ['top', 'contents', 'main']) anchors(reserved);
  const intro = introSections(anchors);
  const groups = readGroups(document, variants, anchors);
  const toc = contents(intro, groups);

  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} API reference</title>
<style>${style}</style>
</head>
<body id="top">
<a class="skip" href="#main">Skip to content</a>
<header class="bar"><a class="brand" href="#top">${title} <span>API</span></a><a href="#contents">Contents</a></header>
<div class="shell">
<nav class="side" aria-label="Contents"><a class="brand" href="#top">${title} <span>API</span></a>${toc}</nav>
<main id="main">
<header class="intro">
<h1>${title} API reference</h1>
<p class="lead">${prose(description)}</p>
<p class="note">Version ${version} · <a href="/openapi.json">OpenAPI document</a></p>
</header>
<nav class="fold" aria-label="Contents"><details><summary>Contents</summary><div id="contents">${toc}</div></details></nav>
${intro.map(({ content }) => content)}
${groups.map(
  (group) => html`<section class="group" aria-labelledby="${group.anchor}">
${heading(2, group.anchor, group.name)}
${group.operations.map((operation) => operationSection(variants, anchors, operation))}
</section>`,
)}
</main>
</div>
</body>
</html>
`.text;
};
