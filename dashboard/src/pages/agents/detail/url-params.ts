import { enumParam, flagParam, pageParam, type RawSearch, textParam } from '../../../lib/search-params.ts';
import { timeParam } from '../version/url-params.ts';

export interface AgentSearch {
  /** One version label, or two to compare: `v1..v3`. */
  readonly compare?: string | undefined;
  /** The version whose deploy dialog is open: its label, or `newest`. */
  readonly deploy?: string | undefined;
  /** The version that the editor shows. */
  readonly edit?: string | undefined;
  /** The time for which the page says what was live. */
  readonly at?: string | undefined;
  /** Which part of the version the editor shows, if it is not the text. */
  readonly part?: 'config' | undefined;
  /** The preview of the edited text is open, with the contact of this id, or with the newest one. */
  readonly preview?: string | undefined;
  /** The page of the version list. */
  readonly page?: number | undefined;
  /** The page of the deploy history. */
  readonly deploys?: number | undefined;
  /** The call whose transcript is beside the editor. */
  readonly call?: string | undefined;
  /** The dialog that connects a channel is open. */
  readonly connect?: true | undefined;
}

const fitting = (pattern: RegExp, raw: unknown): string | undefined =>
  typeof raw === 'string' && pattern.test(raw) ? raw : undefined;

export const parseAgentSearch = (raw: RawSearch): AgentSearch => ({
  compare: fitting(/^v[1-9]\d*(\.\.v[1-9]\d*)?$/, raw.compare),
  deploy: fitting(/^(v[1-9]\d*|newest)$/, raw.deploy),
  edit: fitting(/^v[1-9]\d*$/, raw.edit),
  at: timeParam(raw.at),
  part: enumParam(['config'] as const, raw.part),
  preview: textParam(raw.preview),
  page: pageParam(raw.page),
  deploys: pageParam(raw.deploys),
  call: textParam(raw.call),
  connect: flagParam(raw.connect),
});
