import { ExternalLink } from 'lucide-react';
import { t } from '../lib/i18n.ts';
import { cx } from './cx.ts';

/** The groups of the API reference that the dashboard links to, and their anchors. */
const anchors = {
  contacts: 'tag/contacts',
  agents: 'tag/agents',
  campaigns: 'tag/campaigns',
  channels: 'tag/channels',
  hooks: 'tag/hooks',
  integrations: 'tag/integrations',
  keys: 'tag/keys',
  webhooks: 'tag/webhooks',
} as const;

/** A link to the API reference, next to ids, keys and secrets. */
export const DocsLink = ({
  to,
  className,
}: {
  readonly to: keyof typeof anchors;
  readonly className?: string;
}) => (
  <a
    href={`/docs#${anchors[to]}`}
    target="_blank"
    rel="noreferrer"
    className={cx(
      'inline-flex items-center gap-1 rounded text-[0.8125rem] font-medium text-accent-ink hover:underline',
      className,
    )}
  >
    {t('API reference')}
    <ExternalLink className="size-3.5" aria-hidden />
    <span className="sr-only">{t('(opens in a new tab)')}</span>
  </a>
);
