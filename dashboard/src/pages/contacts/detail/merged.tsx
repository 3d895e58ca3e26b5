import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Merge as MergeIcon } from 'lucide-react';
import { loadChunk } from '../../../api/load-chunk.ts';
import { apiQuery } from '../../../api/query.ts';
import type { Merge } from '../../../api/types.gen.ts';
import { contactName, minuteTime } from '../../../lib/format.ts';
import { plural, t } from '../../../lib/i18n.ts';
import { Button } from '../../../ui/button.tsx';
import { Page, Section } from '../../../ui/page.tsx';
import { NameOrPhone } from '../../../ui/phone.tsx';
import { EmptyState } from '../../../ui/states.tsx';
import { Time } from '../../../ui/time.tsx';
import { toast } from '../../../ui/toast.tsx';
import { contactQuery } from './fields.ts';

const MAX_SHOWN = 20;

const undo = async (id: string) =>
  (await loadChunk(() => import('../../../records/merges/requests.ts'))).undoMerge(id);

const Entry = ({ of: { id, other_ids, created_at, undo_until, status } }: { readonly of: Merge }) => {
  const restore = useMutation({ mutationFn: () => undo(id), onError: (error) => toast.failed(error) });
  const canUndo = undo_until !== null && Date.parse(undo_until) > Date.now();
  return (
    <li className="flex items-start gap-2 py-2 text-sm">
      <div className="min-w-0 flex-1">
        {plural(other_ids.length, '# contact', '# contacts')} · <Time at={created_at} />
        <div className="text-[0.8125rem] text-muted">
          {status === 'moving'
            ? t('Its older calls are still moving.')
            : canUndo
              ? t('Can be undone until {time}', { time: minuteTime(undo_until) })
              : t('Can no longer be undone')}
        </div>
      </div>
      {canUndo && status === 'merged' && (
        <Button size="small" busy={restore.isPending} onClick={() => restore.mutate()}>
          {t('Undo')}
        </Button>
      )}
    </li>
  );
};

/** The contacts that were merged into a contact. */
export const MergedContacts = ({ id }: { readonly id: string }) => {
  const query = { contact_id: id, limit: MAX_SHOWN };
  const all = useQuery(apiQuery('/merges', { query })).data?.data ?? [];
  const merges = all.filter(({ undone_at }) => undone_at === null);
  return (
    merges.length > 0 && (
      <Section title={t('Merged contacts')}>
        <ul className="divide-y divide-line">
          {merges.map((merge) => (
            <Entry key={merge.id} of={merge} />
          ))}
        </ul>
      </Section>
    )
  );
};

/** The page of a contact that is a part of another one now. */
export const MergedContactPage = ({ into }: { readonly into: string }) => {
  const contact = useQuery(contactQuery(into)).data?.data;
  const name = contact ? contactName(contact) : into;
  return (
    <Page title={t('Contact')} back={{ to: '/contacts', label: t('Contacts') }}>
      <div className="card">
        <EmptyState
          icon={<MergeIcon />}
          title={t('Merged into {name}', { name })}
          action={
            <Button asChild variant="primary">
              <Link to="/contacts/$id" params={{ id: into }}>
                <span className="min-w-0 truncate">
                  <NameOrPhone text={name} />
                </span>
              </Link>
            </Button>
          }
        >
          {t('This contact became a part of another one, with its numbers, calls and enrollments.')}
        </EmptyState>
      </div>
    </Page>
  );
};
