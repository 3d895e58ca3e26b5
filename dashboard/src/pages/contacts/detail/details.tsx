import type { ReactNode } from 'react';
import type { ContactWithCrmIds } from '../../../api/types.gen.ts';
import { t } from '../../../lib/i18n.ts';
import { sourceLabels } from '../../../records/contacts/sources.ts';
import { CopyButton } from '../../../ui/copy.tsx';
import { Section } from '../../../ui/page.tsx';
import { Time } from '../../../ui/time.tsx';
import { useActivity } from '../activity.tsx';

const Line = ({ name, children }: { readonly name: ReactNode; readonly children: ReactNode }) => (
  <div className="flex min-h-8 items-center gap-x-2 text-sm">
    <dt className="max-w-1/2 shrink-0 text-muted wrap-anywhere">{name}</dt>
    <dd className="ml-auto min-w-0 text-end wrap-anywhere">{children}</dd>
  </div>
);

const Copied = ({ text, label }: { readonly text: string; readonly label: string }) => (
  <span className="flex items-center justify-end">
    <code title={text} className="truncate font-mono text-[0.6875rem]">
      {text}
    </code>
    {/* Its icon ends where the other values end. */}
    <CopyButton text={text} label={label} size="small" className="-me-1.5 shrink-0" />
  </span>
);

/** The IDs of the contact in CRMs. Integrations write them; they are read-only here. */
export const CrmIds = ({ ids }: { readonly ids: ContactWithCrmIds['crm_ids'] }) => {
  const entries = Object.entries(ids);
  return (
    <Section title={t('CRM IDs')}>
      {entries.length === 0 ? (
        <p className="text-sm text-muted">
          {t('Not linked to a CRM. IDs appear here when an integration sends this contact.')}
        </p>
      ) : (
        <dl>
          {entries.map(([name, id]) => (
            <Line key={name} name={name}>
              <Copied text={id} label={t('Copy {name} ID', { name })} />
            </Line>
          ))}
        </dl>
      )}
    </Section>
  );
};

export const Details = ({ contact }: { readonly contact: ContactWithCrmIds }) => {
  const activity = useActivity([contact.id]).get(contact.id);
  return (
    <Section title={t('Details')}>
      <dl>
        <Line name={t('Source')}>{sourceLabels[contact.source]}</Line>
        {activity?.first_at && (
          <Line name={t('First contact')}>
            <Time at={activity.first_at} />
          </Line>
        )}
        <Line name={t('Last contact')}>
          {activity?.last_at ? <Time at={activity.last_at} /> : activity && t('No activity yet')}
        </Line>
        <Line name={t('Created')}>
          <Time at={contact.created_at} />
        </Line>
        <Line name={t('Updated')}>
          <Time at={contact.updated_at} />
        </Line>
        <Line name={t('ID')}>
          <Copied text={contact.id} label={t('Copy contact ID')} />
        </Line>
      </dl>
    </Section>
  );
};
