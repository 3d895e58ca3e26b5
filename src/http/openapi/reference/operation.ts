import { curlExample } from './command.ts';
import { errorTable } from './errors.ts';
import { parameterExample, responseExample } from './example.ts';
import { type FieldLine, fieldLine, fieldLines } from './fields.ts';
import {
  type Anchors,
  codeBlock,
  type Html,
  heading,
  html,
  joined,
  jsonMarkup,
  prose,
  table,
} from './html.ts';
import type { ApiOperation, ApiResponse, Parameter } from './model.ts';
import type { Schema, Variants } from './schema.ts';

const MAX_OPEN_LINES = 8;

export const methodBadge = (method: string): Html =>
  html`<span class="method ${method.toLowerCase()}">${method}</span>`;

const sentence = (limits: readonly string[]) => {
  const text = limits.join('; ');
  return text === ''
    ? undefined
    : html`<p class="limits">${prose(`${text.charAt(0).toUpperCase()}${text.slice(1)}.`)}</p>`;
};

const fieldTable = (
  label: string,
  lines: readonly FieldLine[],
  { marksRequired = true, first = 'Field' } = {},
) =>
  table(
    label,
    [first, 'Type', 'Meaning and limits'],
    lines.map((line) => [
      html`<code>${line.owner && html`<span class="owner">${line.owner}</span>`}${line.name}</code>${
        marksRequired && line.required && html` <span class="required">required</span>`
      }`,
      html`<span class="type">${line.type}${line.nullable && ' or null'}</span>`,
      html`${line.description && html`<p>${prose(line.description)}</p>`}${sentence(line.limits)}`,
    ]),
  );

/** The fields of a response: `data` of the envelope, or the whole body if it has no envelope. */
const contentOf = (variants: Variants, schema: Schema) => {
  const { success, data, pagination } = variants(schema)[0]?.properties ?? {};
  if (!success || !data) return { place: 'the whole body', content: schema };
  const items = pagination && variants(data)[0]?.items;
  return items
    ? { place: 'each record in `data`', content: items }
    : { place: 'the fields of `data`', content: data };
};

export const operationSection = (variants: Variants, anchors: Anchors, operation: ApiOperation): Html => {
  const { anchor, method, path, summary, description, body, responses, errors } = operation;
  const part = (title: string) => heading(4, anchors(`${anchor} ${title}`), title);
  const fold = (title: string, note: Html | string, content: Html, open: boolean) =>
    html`<details${open && html` open`}><summary>${part(title)} <span class="note">${note}</span></summary>${content}</details>`;

  const parameterTable = (title: string, place: Parameter['in']) => {
    const found = operation.parameters.filter((each) => each.in === place);
    if (found.length === 0) return undefined;
    const lines = found.map((each) => {
      const line = fieldLine(variants, each.schema, each);
      const limits = place === 'path' ? [`for example \`${parameterExample(variants, each)}\``] : line.limits;
      return { ...line, limits, description: each.description ?? line.description };
    });
    return html`${part(title)}${fieldTable(`${summary}: ${title}`, lines, { first: 'Name' })}`;
  };

  const bodyTable = () => {
    if (!body) return undefined;
    const lines = fieldLines(variants, body.schema);
    const content =
      lines.length > 0
        ? fieldTable(`${summary}: body`, lines)
        : html`<p>Sent as <code>${body.type}</code>.</p>`;
    const isAllOptional = lines.length > 1 && !lines.some(({ required }) => required);
    return html`${part('Body')}${isAllOptional && html`<p class="note">Send only the fields that you want to set.</p>`}${content}`;
  };

  const responseFields = ({ schema, status, headers, type }: ApiResponse) => {
    const { place, content } = schema ? contentOf(variants, schema) : { place: '', content: {} };
    const lines = fieldLines(variants, content);
    const named = Object.entries(headers).filter(([name]) => name !== 'X-Request-Id');
    const note = schema ? html`${status}, ${prose(place)}` : html`${status}, ${type ?? 'no body'}`;
    const fields = lines.length > 0 && fieldTable(`${summary}: response`, lines, { marksRequired: false });
    const list = named.map(
      ([name, header]) => html`<p>Header <code>${name}</code>: ${prose(header.description ?? '')}</p>`,
    );
    return fold('Response', note, html`${list}${fields}`, lines.length <= MAX_OPEN_LINES);
  };

  const statuses = [...new Set(errors.map(({ status }) => status))];
  const errorList = errorTable(
    `${summary}: errors`,
    errors.map((each) => [each.status, each.description]),
  );
  const examples = responses
    .filter(({ type }) => type === 'application/json')
    .map(({ schema = {} }) => {
      const example = jsonMarkup(responseExample(variants, operation, schema));
      return html`<div>${part('Example response')}${codeBlock(example)}</div>`;
    });
  const needsWrite = errors.some((error) => error.description === 'FORBIDDEN');

  return html`<article class="operation" aria-labelledby="${anchor}">
${heading(3, anchor, summary)}
<p class="endpoint">${methodBadge(method)}<code>${joined(path.split('/'), html`/<wbr>`)}</code></p>
<div class="columns"><div class="text">
${description?.split(/\n{2,}/).map((paragraph) => html`<p class="lead">${prose(paragraph)}</p>`)}
${needsWrite && html`<p class="note">Needs a key with the scope <code>read_write</code>.</p>`}
${parameterTable('Path parameters', 'path')}${parameterTable('Query parameters', 'query')}${parameterTable('Headers', 'header')}
${bodyTable()}
${responses.map(responseFields)}
${errors.length > 0 && fold('Errors', statuses.join(', '), errorList, false)}
</div><div class="examples">
<div>${part('Example request')}${codeBlock(curlExample(variants, operation))}</div>
${examples}
</div></div></article>`;
};
