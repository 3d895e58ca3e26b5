import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { fieldErrors } from '../../../api/api-error.ts';
import { call } from '../../../api/client.ts';
import { apiQuery, invalidate } from '../../../api/query.ts';
import type { Campaign, Contact } from '../../../api/types.gen.ts';
import { useDebounced } from '../../../app/debounced-text.ts';
import { FormDialog } from '../../../app/form-dialog.tsx';
import { plural, t } from '../../../lib/i18n.ts';
import { enrolledTotal } from '../../../records/campaigns/labels.tsx';
import { matchText } from '../../../records/contacts/filter/match-count.tsx';
import type { FilterTree } from '../../../records/contacts/filter/tree.ts';
import { bodyFilter } from '../../../records/contacts/segments.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { toast } from '../../../ui/toast.tsx';
import { AudienceTagField, ContactsField, SearchField, SegmentOrFilterField } from './audience-fields.tsx';
import { type AudienceMode, AudienceModeField } from './audience-mode.tsx';

/** The maximum number of ids that the service accepts in one request. */
const MAX_CHOSEN = 1_000;

/** How many contacts are selected, at least. */
type Count = Parameters<typeof matchText>[0];

/** What a list of contacts is asked for, as JSON; empty for contacts that were chosen, or if nothing is selected yet. */
const queryOf = (mode: AudienceMode, { filter, ...texts }: Selection): string => {
  if (mode === 'filter') return filter ? JSON.stringify({ filter: JSON.stringify(filter) }) : '';
  return mode === 'contacts' || texts[mode] === '' ? '' : JSON.stringify({ [mode]: texts[mode] });
};

/** The number of selected contacts; undefined while nothing is selected or the number is loading. */
const useCount = (mode: AudienceMode, selection: Selection, chosen: number): Count | undefined => {
  const query = queryOf(mode, selection);
  const asked = useDebounced(query);
  const found = useQuery({
    ...apiQuery('/contacts', { query: { ...JSON.parse(asked || '{}'), limit: 1 } }),
    enabled: asked !== '',
    placeholderData: keepPreviousData,
  });
  if (mode === 'contacts') return chosen > 0 ? { total: chosen, total_is_capped: false } : undefined;
  return query === '' || query !== asked || found.isPlaceholderData ? undefined : found.data?.pagination;
};

interface Selection {
  readonly tag: string;
  readonly search: string;
  readonly filter: FilterTree | undefined;
}

/** Enrolls contacts in a campaign, after showing how many match. */
const EnrollContacts = ({
  campaign,
  onClose,
}: {
  readonly campaign: Campaign;
  readonly onClose: () => void;
}) => {
  const [mode, setMode] = useState<AudienceMode>('tag');
  const [selection, setSelection] = useState<Selection>({ tag: '', search: '', filter: undefined });
  const select = (part: Partial<Selection>) => setSelection((now) => ({ ...now, ...part }));
  const [chosen, setChosen] = useState<readonly Contact[]>([]);
  const count = useCount(mode, selection, chosen.length);
  const enroll = useMutation({
    mutationFn: () =>
      call('POST', '/campaigns/{id}/enrollments', {
        params: { id: campaign.id },
        body:
          mode === 'contacts'
            ? { contact_ids: chosen.map(({ id }) => id) }
            : { [mode]: mode === 'filter' ? bodyFilter(selection.filter) : selection[mode] },
      }),
    onSuccess: ({ data }) => {
      void invalidate('/campaigns', '/contacts/{id}/enrollments');
      const already = data.already_enrolled;
      const { name } = campaign;
      const done = plural(data.enrolled, '# contact enrolled in {name}.', '# contacts enrolled in {name}.', {
        name,
      });
      const rest =
        already > 0 ? ` ${plural(already, '# was already enrolled.', '# were already enrolled.')}` : '';
      toast.good(done + rest);
      onClose();
    },
  });
  const problems = fieldErrors(enroll.error);
  const isTooMany = chosen.length > MAX_CHOSEN;
  const isReady = count !== undefined && count.total > 0 && !(mode === 'contacts' && isTooMany);
  return (
    <FormDialog
      title={t('Enroll contacts in {name}', { name: campaign.name })}
      width={mode === 'filter' ? 'large' : 'medium'}
      dirty={chosen.length > 0 || selection.filter !== undefined}
      preventDismiss={enroll.isPending}
      onSubmit={() => isReady && enroll.mutate()}
      onClose={onClose}
      action={
        isReady && !count.total_is_capped
          ? plural(count.total, 'Enroll # contact', 'Enroll # contacts')
          : t('Enroll')
      }
      busy={enroll.isPending}
      disabled={!isReady}
      error={enroll.error}
    >
      <div className="flex min-h-56 flex-col gap-4">
        <AudienceModeField value={mode} onChange={setMode} />
        {mode === 'tag' && (
          <AudienceTagField value={selection.tag} onChange={(tag) => select({ tag })} error={problems.tag} />
        )}
        {mode === 'search' && (
          <SearchField
            value={selection.search}
            onChange={(search) => select({ search })}
            error={problems.search}
          />
        )}
        {mode === 'filter' && (
          <SegmentOrFilterField value={selection.filter} onChange={(filter) => select({ filter })} />
        )}
        {mode === 'contacts' && (
          <ContactsField
            value={chosen}
            onChange={setChosen}
            error={
              isTooMany
                ? t('You can select at most {count} contacts at a time.', { count: MAX_CHOSEN })
                : undefined
            }
          />
        )}
        <div aria-live="polite">
          {count !== undefined && (
            <Outcome
              count={count}
              isChosen={mode === 'contacts'}
              enrolled={enrolledTotal(campaign.enrolled)}
            />
          )}
        </div>
      </div>
    </FormDialog>
  );
};

const Outcome = ({
  count,
  isChosen,
  enrolled,
}: {
  readonly count: Count;
  readonly isChosen: boolean;
  readonly enrolled: number;
}) => {
  const { total } = count;
  if (total === 0) return <Notice>{t('No matching contacts.')}</Notice>;
  if (enrolled === 0 && !count.total_is_capped)
    return (
      <Notice tone="good">
        {plural(total, '# contact will be enrolled as pending.', '# contacts will be enrolled as pending.')}
      </Notice>
    );
  return (
    <Notice tone="good">
      {isChosen
        ? plural(total, '# contact selected.', '# contacts selected.')
        : count.total_is_capped
          ? `${matchText(count)}.`
          : plural(total, '# matching contact.', '# matching contacts.')}{' '}
      {plural(
        enrolled,
        'The # contact already enrolled keeps its status. New enrollments start as pending.',
        'The # contacts already enrolled keep their status. New enrollments start as pending.',
      )}
    </Notice>
  );
};

export default EnrollContacts;
