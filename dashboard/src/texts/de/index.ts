import type { Texts } from '../texts.ts';
import { agents } from './agents.ts';
import { app } from './app.ts';
import { auditLog } from './audit-log.ts';
import { calls } from './calls.ts';
import { campaigns } from './campaigns.ts';
import { channels } from './channels.ts';
import { common } from './common.ts';
import { config } from './config.ts';
import { contact } from './contact.ts';
import { contacts } from './contacts.ts';
import { fields } from './fields.ts';
import { home } from './home.ts';
import { imports } from './imports.ts';
import { integrations } from './integrations.ts';
import { jobs } from './jobs.ts';
import { merges } from './merges.ts';
import { results } from './results.ts';
import { segments } from './segments.ts';
import { serviceMessages } from './service.ts';
import { settings } from './settings.ts';
import { tags } from './tags.ts';
import { ui } from './ui.ts';
import { views } from './views.ts';
import { webhooks } from './webhooks.ts';

/** Each text is in the file of one area. */
export const areas: readonly Texts[] = [
  agents,
  app,
  auditLog,
  calls,
  campaigns,
  channels,
  common,
  config,
  contact,
  contacts,
  fields,
  home,
  imports,
  integrations,
  jobs,
  merges,
  results,
  segments,
  settings,
  tags,
  ui,
  views,
  webhooks,
];

export const german = { texts: Object.assign({}, ...areas) as Texts, messages: serviceMessages };
