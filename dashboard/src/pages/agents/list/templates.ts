import { language } from '../../../lib/i18n.ts';
import { agentTemplates } from '../../../texts/agent-templates.ts';

/** Instructions to begin with, in the language of the reader. */
export const templates = agentTemplates[language] ?? agentTemplates.en;
