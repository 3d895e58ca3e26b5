import type { Call } from '../../api/types.gen.ts';
import { t } from '../../lib/i18n.ts';
import { Badge } from '../../ui/badge.tsx';
import { CellLink } from '../../ui/cell-link.tsx';
import { NameOrPhone } from '../../ui/phone.tsx';
import { rich } from '../../ui/rich.tsx';
import { VersionLink } from '../agents/version-link.tsx';
import { contactLabel, statusLabels } from './labels.ts';

export const linkClass = 'relative z-10 rounded wrap-anywhere hover:underline';

export const CallContact = ({ call }: { readonly call: Call }) =>
  call.contact_id ? (
    <CellLink href={`/contacts/${call.contact_id}`} dir="auto" className={linkClass}>
      <NameOrPhone text={contactLabel(call)} />
    </CellLink>
  ) : (
    <span className={call.number ? undefined : 'text-muted'}>
      <NameOrPhone text={contactLabel(call)} />
    </span>
  );

export const CallAgent = ({ call }: { readonly call: Call }) => {
  if (call.agent_id === null) return <span className="text-muted">{t('No agent')}</span>;
  const name = call.agent_name ?? t('Deleted agent');
  return (
    <span className="inline-flex min-w-0 flex-wrap items-center gap-x-2">
      {call.agent_deleted ? (
        <span className="text-muted">{rich('{name} (deleted)', { name: <bdi>{name}</bdi> })}</span>
      ) : (
        <CellLink href={`/agents/${call.agent_id}`} dir="auto" className={linkClass}>
          {name}
        </CellLink>
      )}
      {call.version_label && (
        <VersionLink
          agent={call.agent_id}
          label={call.version_label}
          at={call.started_at}
          isDeleted={call.agent_deleted}
        >
          <Badge>{call.version_label}</Badge>
        </VersionLink>
      )}
    </span>
  );
};

export const CallChannel = ({ call }: { readonly call: Call }) =>
  call.channel_name === null ? (
    <span className="text-muted">{t('Deleted channel')}</span>
  ) : (
    <CellLink href={`/channels?channel=${call.channel_id}`} dir="auto" className={linkClass}>
      {call.channel_name}
    </CellLink>
  );

export const Status = ({ status }: Pick<Call, 'status'>) => (
  <Badge tone={statusLabels[status].tone} dot>
    {statusLabels[status].label}
  </Badge>
);
