import { LazyDialog, type PropsOf } from '../../../app/lazy-dialog.tsx';
import { t } from '../../../lib/i18n.ts';

/* Dialogs that are loaded when they open, because no page needs them to be shown. */

const loadEditCampaign = () => import('./edit.tsx');
const loadEditAudience = () => import('./edit-audience.tsx');
const loadEditSchedule = () => import('./edit-schedule.tsx');
const loadEnrollContacts = () => import('./enroll.tsx');
const loadStartCampaign = () => import('./start.tsx');
const loadDuplicateCampaign = () => import('./duplicate.tsx');
const loadDeleteCampaign = () => import('./delete.tsx');

export const EditCampaign = (props: PropsOf<typeof loadEditCampaign>) => (
  <LazyDialog title={t('Edit campaign')} load={loadEditCampaign} props={props} />
);

export const EditAudience = (props: PropsOf<typeof loadEditAudience>) => (
  <LazyDialog title={t('Audience')} load={loadEditAudience} props={props} />
);

export const EditSchedule = (props: PropsOf<typeof loadEditSchedule>) => (
  <LazyDialog title={t('Schedule')} load={loadEditSchedule} props={props} />
);

export const EnrollContacts = (props: PropsOf<typeof loadEnrollContacts>) => (
  <LazyDialog title={t('Enroll contacts')} load={loadEnrollContacts} props={props} />
);

export const StartCampaign = (props: PropsOf<typeof loadStartCampaign>) => (
  <LazyDialog title={t('Start campaign')} load={loadStartCampaign} props={props} />
);

export const DuplicateCampaign = (props: PropsOf<typeof loadDuplicateCampaign>) => (
  <LazyDialog title={t('Duplicate…')} load={loadDuplicateCampaign} props={props} />
);

export const DeleteCampaign = (props: PropsOf<typeof loadDeleteCampaign>) => (
  <LazyDialog title={t('Delete…')} load={loadDeleteCampaign} props={props} />
);
