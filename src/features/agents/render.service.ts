import { hash } from 'node:crypto';
import type { Db } from '../../db/db.ts';
import { existing } from '../../lib/errors.ts';
import { chain, type MaybePromise } from '../../lib/maybe-promise.ts';
import { zonesOfPhone } from '../../lib/phone-zones.ts';
import { zoneOffset } from '../../lib/time-zone.ts';
import type { FieldValues } from '../fields/field.values.ts';
import type { Principal } from '../workspaces/principal.ts';
import { findVersionText, type VersionText } from './agent.store.ts';
import {
  type ContactVariable,
  contactVariables,
  FIELDS,
  namesIn,
  parseTemplate,
  type Rendered,
  render,
  type Template,
  valueText,
} from './placeholders.ts';
import * as store from './render.store.ts';
import { type Context, contextOf } from './variable.service.ts';

/** What a rendering reads of a contact. */
export type RenderedContact = Readonly<Record<ContactVariable, string | null>> & {
  readonly phone_identity: string | null;
  /** A JSON object of values by key. */
  readonly fields: string;
};

/** Values by name that only this rendering has, such as those of an enrollment. */
export type Variables = Readonly<Record<string, unknown>>;

export interface Rendering extends Rendered {
  /** In hexadecimal digits, of the text in UTF-8. */
  readonly sha256: string;
  /** The texts of all names that were known, empty for those without a value. With the version's text, they reproduce the rendered one. */
  readonly values: Readonly<Record<string, string>>;
}

/** Renders one version for a contact, or for none. */
export type Renderer = (contact: RenderedContact | null, variables?: Variables) => Rendering;

interface Parsed {
  readonly version: VersionText;
  readonly template: Template;
  readonly names: ReadonlySet<string>;
  /** Whether it has other variables than texts of a contact. */
  readonly needsContext: boolean;
}

const MAX_PARSED = 100;
const parsedVersions = new Map<string, Parsed>();

const parse = (version: VersionText, text = version.instructions): Parsed => {
  const template = parseTemplate(text);
  const names = namesIn(template);
  const needsContext = [...names].some((name) => !BUILT_IN.has(name) || TIMES.has(name));
  return { version, template, names, needsContext };
};

/** The parsed text. That of a version never changes. */
export const parsedVersion = (version: VersionText): Parsed => {
  const known = parsedVersions.get(version.id);
  if (known) return known;
  const parsed = parse(version);
  const [oldest] = parsedVersions.keys();
  if (oldest !== undefined && parsedVersions.size >= MAX_PARSED) parsedVersions.delete(oldest);
  parsedVersions.set(version.id, parsed);
  return parsed;
};

const BUILT_IN: ReadonlySet<string> = new Set(contactVariables);
const TIMES: ReadonlySet<string> = new Set(contactVariables.filter((name) => name.endsWith('_at')));
const OBJECTS: ReadonlySet<string> = new Set(['tags', 'crm_ids']);
const MINUTE_MS = 60_000;

/** A UTC timestamp in a time zone, such as `2026-11-18T10:00:00+01:00`. Outside these years it stays in UTC. */
export const zonedTime = (time: string, zone: string): string => {
  const at = Date.parse(time);
  const isUsual = time >= '1000' && time < '9999-12-31';
  // RFC 3339 has no offsets with seconds, which zones had in earlier centuries.
  const minutes = isUsual ? Math.trunc(zoneOffset(zone, at) / MINUTE_MS) : 0;
  const local = new Date(at + minutes * MINUTE_MS).toISOString().slice(0, 19);
  const part = (value: number) => String(value).padStart(2, '0');
  const size = Math.abs(minutes);
  return `${local}${minutes < 0 ? '-' : '+'}${part(Math.floor(size / 60))}:${part(size % 60)}`;
};

/** The zone of a contact's number, or else that of the workspace. */
const zoneOf = (contact: RenderedContact, otherwise: string): string => {
  const zones = zonesOfPhone(contact.phone_identity ?? '');
  return zones === undefined || zones.includes('&') ? otherwise : zones;
};

const own = (values: Variables, name: string): string =>
  Object.hasOwn(values, name) ? valueText(values[name]) : '';

const NO_FIELDS: FieldValues = {};
const NO_VARIABLES: Variables = {};

const rendererWith = (
  { template, names: written }: Parsed,
  { fields: types, names, zone }: Context,
): Renderer => {
  const known = Object.fromEntries([...written].filter((name) => names.has(name)).map((name) => [name, '']));
  return (contact, variables = NO_VARIABLES) => {
    const time = (value: string) => (contact ? zonedTime(value, zoneOf(contact, zone)) : value);
    let fields: FieldValues | undefined;
    const field = (key: string): string => {
      const type = types.get(key);
      if (!type) return '';
      fields ??= contact ? (JSON.parse(contact.fields) as FieldValues) : NO_FIELDS;
      const value = own(fields, key);
      return type === 'datetime' && value !== '' ? time(value) : value;
    };
    const attribute = (name: string): string => {
      const value = contact && BUILT_IN.has(name) ? contact[name as ContactVariable] : null;
      if (value === null) return '';
      if (OBJECTS.has(name)) return valueText(JSON.parse(value));
      return TIMES.has(name) ? time(value) : value;
    };
    const rendered = render(
      template,
      (name) =>
        name.startsWith(FIELDS)
          ? field(name.slice(FIELDS.length))
          : own(variables, name) || field(name) || attribute(name),
      names,
    );
    return { ...rendered, values: { ...known, ...rendered.used }, sha256: hash('sha256', rendered.text) };
  };
};

/** A rendering for no contact, of a version whose context was read before. */
export const renderWithout = (
  version: VersionText,
  row: store.ContextRow,
  variables: Variables | undefined,
): Rendering => rendererWith(parsedVersion(version), contextOf(row))(null, variables);

/** The text of a rendering that was stored; undefined if this program renders it in another way. */
export const renderAgain = (
  version: VersionText,
  { used, sha256 }: { used: string; sha256: string },
): string | undefined => {
  const values: Variables = JSON.parse(used);
  const { template } = parsedVersion(version);
  const { text } = render(template, (name) => own(values, name), new Set(Object.keys(values)));
  return hash('sha256', text) === sha256 ? text : undefined;
};

/** Reads what the renderings of a version need, once for all contacts. */
export const rendererOf = async (
  db: Db,
  { workspace }: Principal,
  { agent, version }: { agent: string; version: VersionText },
): Promise<Renderer> => {
  const parsed = parsedVersion(version);
  const row = parsed.needsContext ? await db.get(store.findContext, { workspace, agent }) : undefined;
  return rendererWith(parsed, contextOf(row));
};

/** A version and its renderer, by a row of `findInput`. A text that is not saved replaces that of the version, which is
 *  read only if it is not cached. */
export const rendererFor = (
  db: Db,
  { workspace }: Principal,
  { version, row, unsaved }: { version: string; row: store.ContextRow; unsaved?: string | undefined },
): MaybePromise<{ version: VersionText; render: Renderer }> => {
  const parsed =
    parsedVersions.get(version) ??
    chain(db.get(findVersionText, { workspace, version }), (found) =>
      parsedVersion(existing('version of this agent', found)),
    );
  return chain(parsed, (each) => ({
    version: each.version,
    render: rendererWith(unsaved === undefined ? each : parse(each.version, unsaved), contextOf(row)),
  }));
};
