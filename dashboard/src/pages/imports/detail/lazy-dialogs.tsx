import { LazyDialog, type PropsOf } from '../../../app/lazy-dialog.tsx';
import { t } from '../../../lib/i18n.ts';

/* Dialogs that are loaded when they open, because no page needs them to be shown. */

const loadEditPlan = () => import('./edit-plan.tsx');

export const EditPlan = (props: PropsOf<typeof loadEditPlan>) => (
  <LazyDialog title={t('Columns and rules')} load={loadEditPlan} props={props} />
);
