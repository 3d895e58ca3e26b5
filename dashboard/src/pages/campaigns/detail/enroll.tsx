import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { fieldErrors } from '../../../api/api-error.ts';
import { call } from '../../../api/client.ts';
import { apiQuery, invalidate } from '../../../api/query.ts';
import type { Campaign, Contact } from '../../../api/types.gen.ts';
import { FormDialog } from '../../../app/form-dialog.tsx';
import { countText, numberText } from '../../../lib/format.ts';
import { Notice } from '../../../ui/notice.tsx';
import { toast } from '../../../ui/toast.tsx';
import { enrolledTotal } from '../labels.tsx';
import { ContactsField, SearchField, TagField } from './audience-fields.tsx';
import { type AudienceMode, AudienceModeField } from './audience-mode.tsx';

/** The maximum number of ids that the service accepts in one request. */
const MAX_CHOSEN = 1_000;

/** The number of selected contacts; undefined while nothing is selected or the number is loading. */
const useCount = (mode: AudienceMode, text: string, chosen: readonly Contact[]): number | undefined => {
  const found = useQuery({
    ...apiQuery('/contacts', { query: { [mode === 'tag' ? 'tag' : 'search']: text, limit: 1 } }),
    enabled: mode !== 'contacts' && text !== '',
    placeholderData: keepPreviousData,
  });
  if (mode === 'contacts') return chosen.length || undefined;
  return text === '' || found.isPlaceholderData ? undefined : found.data?.pagination.total;
};

/** Enrolls contacts in a campaign, after showing how many match. */
export const EnrollContacts = ({
  campaign,
  onClose,
}: {
  readonly campaign: Campaign;
  readonly onClose: () => void;
}) => {
  const [mode, setMode] = useState<AudienceMode>('tag');
  const [texts, setTexts] = useState({ tag: '', search: '' });
  const [chosen, setChosen] = useState<readonly Contact[]>([]);
  const text = mode === 'contacts' ? '' : texts[mode];
  const count = useCount(mode, text, chosen);
  const enroll = useMutation({
    mutationFn: () =>
      call('POST', '/campaigns/{id}/enrollments', {
        params: { id: campaign.id },
        body: mode === 'contacts' ? { contact_ids: chosen.map(({ id }) => id) } : { [mode]: text },
      }),
    onSuccess: ({ data }) => {
      void invalidate('/campaigns', '/contacts/{id}/enrollments');
      const already = data.already_enrolled;
      const rest =
        already > 0 ? `. ${numberText(already)} ${already === 1 ? 'was' : 'were'} already enrolled` : '';
      toast.good(`${countText(data.enrolled, 'contact')} enrolled in ${campaign.name}${rest}.`);
      onClose();
    },
  });
  const problems = fieldErrors(enroll.error);
  const isTooMany = chosen.length > MAX_CHOSEN;
  const isReady = count !== undefined && count > 0 && !(mode === 'contacts' && isTooMany);
  return (
    <FormDialog
      title={`Enroll contacts in ${campaign.name}`}
      dirty={chosen.length > 0}
      preventDismiss={enroll.isPending}
      onSubmit={() => isReady && enroll.mutate()}
      onClose={onClose}
      action={isReady ? `Enroll ${countText(count, 'contact')}` : 'Enroll'}
      busy={enroll.isPending}
      disabled={!isReady}
      error={enroll.error}
    >
      <div className="flex min-h-56 flex-col gap-4">
        <AudienceModeField value={mode} onChange={setMode} />
        {mode === 'tag' && (
          <TagField
            value={texts.tag}
            onChange={(tag) => setTexts((now) => ({ ...now, tag }))}
            error={problems.tag}
          />
        )}
        {mode === 'search' && (
          <SearchField
            value={texts.search}
            onChange={(search) => setTexts((now) => ({ ...now, search }))}
            error={problems.search}
          />
        )}
        {mode === 'contacts' && (
          <ContactsField
            value={chosen}
            onChange={setChosen}
            error={
              isTooMany ? `You can select at most ${numberText(MAX_CHOSEN)} contacts at a time.` : undefined
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
  readonly count: number;
  readonly isChosen: boolean;
  readonly enrolled: number;
}) => {
  if (count === 0) return <Notice>No matching contacts.</Notice>;
  if (enrolled === 0)
    return <Notice tone="good">{countText(count, 'contact')} will be enrolled as pending.</Notice>;
  return (
    <Notice tone="good">
      {isChosen
        ? countText(count, 'contact selected', 'contacts selected')
        : countText(count, 'matching contact')}
      . The {countText(enrolled, 'contact')} already enrolled keep their status. New enrollments start as
      pending.
    </Notice>
  );
};
