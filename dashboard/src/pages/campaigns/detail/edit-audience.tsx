import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { fieldErrors } from '../../../api/api-error.ts';
import { FormDialog } from '../../../app/form-dialog.tsx';
import { t } from '../../../lib/i18n.ts';
import { segmentsQuery } from '../../../records/contacts/segments.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { toast } from '../../../ui/toast.tsx';
import { AudienceFields, shareSegment } from '../segment-audience.tsx';
import { type LoadedCampaign, saveCampaign } from './save.ts';

/** Chooses the segment whose contacts a campaign enrolls. */
const EditAudience = ({
  loaded,
  onClose,
}: {
  readonly loaded: LoadedCampaign;
  readonly onClose: () => void;
}) => {
  const [seen] = useState(loaded);
  const before = seen.data.audience;
  const [audience, setAudience] = useState(before);
  const segments = useQuery(segmentsQuery).data?.data ?? [];
  const isUnchanged = JSON.stringify(audience) === JSON.stringify(before);
  const save = useMutation({
    mutationFn: async () => {
      await shareSegment(audience, segments);
      return saveCampaign(seen, { audience });
    },
    onSuccess: () => {
      toast.good(t('Audience saved.'));
      onClose();
    },
  });
  return (
    <FormDialog
      title={t('Audience')}
      dirty={!isUnchanged}
      onSubmit={() => (isUnchanged ? onClose() : save.mutate())}
      onClose={onClose}
      action={t('Save')}
      busy={save.isPending}
      error={save.error}
    >
      <AudienceFields
        value={audience}
        onChange={setAudience}
        error={Object.values(fieldErrors(save.error))[0]}
      />
      {before && !isUnchanged && <Notice>{t('Contacts that are already enrolled stay enrolled.')}</Notice>}
    </FormDialog>
  );
};

export default EditAudience;
