import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { fieldErrors } from '../../../api/api-error.ts';
import { call } from '../../../api/client.ts';
import { apiQuery, invalidate } from '../../../api/query.ts';
import type { Campaign, Contact } from '../../../api/types.gen.ts';
import { FormDialog } from '../../../app/form-dialog.tsx';
import { plural, t } from '../../../lib/i18n.ts';
import { enrolledTotal } from '../../../records/campaigns/labels.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { toast } from '../../../ui/toast.tsx';
import { AudienceTagField, ContactsField, SearchField } from './audience-fields.tsx';
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
const EnrollContacts = ({
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
  const isReady = count !== undefined && count > 0 && !(mode === 'contacts' && isTooMany);
  return (
    <FormDialog
      title={t('Enroll contacts in {name}', { name: campaign.name })}
      dirty={chosen.length > 0}
      preventDismiss={enroll.isPending}
      onSubmit={() => isReady && enroll.mutate()}
      onClose={onClose}
      action={isReady ? plural(count, 'Enroll # contact', 'Enroll # contacts') : t('Enroll')}
      busy={enroll.isPending}
      disabled={!isReady}
      error={enroll.error}
    >
      <div className="flex min-h-56 flex-col gap-4">
        <AudienceModeField value={mode} onChange={setMode} />
        {mode === 'tag' && (
          <AudienceTagField
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
  readonly count: number;
  readonly isChosen: boolean;
  readonly enrolled: number;
}) => {
  if (count === 0) return <Notice>{t('No matching contacts.')}</Notice>;
  if (enrolled === 0)
    return (
      <Notice tone="good">
        {plural(count, '# contact will be enrolled as pending.', '# contacts will be enrolled as pending.')}
      </Notice>
    );
  return (
    <Notice tone="good">
      {isChosen
        ? plural(count, '# contact selected.', '# contacts selected.')
        : plural(count, '# matching contact.', '# matching contacts.')}{' '}
      {plural(
        enrolled,
        'The # contact already enrolled keeps its status. New enrollments start as pending.',
        'The # contacts already enrolled keep their status. New enrollments start as pending.',
      )}
    </Notice>
  );
};

export default EnrollContacts;
