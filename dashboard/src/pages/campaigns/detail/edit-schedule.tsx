import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { fieldErrors } from '../../../api/api-error.ts';
import { type Answer, call } from '../../../api/client.ts';
import { invalidate } from '../../../api/query.ts';
import { FormDialog } from '../../../app/form-dialog.tsx';
import { t } from '../../../lib/i18n.ts';
import { weekdayLabel, weekdays } from '../../../records/campaigns/call-window.ts';
import { Checkbox } from '../../../ui/checkbox.tsx';
import { Input } from '../../../ui/field.tsx';
import { toast } from '../../../ui/toast.tsx';
import { RetryRuleFields } from './retry-rule-fields.tsx';
import { ruleProblems } from './retry-rules.ts';
import { bodyOf, formOf, MAX_ATTEMPTS, MAX_MINUTES, problemsOf, type ScheduleForm } from './schedule-form.ts';

export type LoadedSchedule = Answer<'GET', '/campaigns/{id}/schedule'>;

/** Edits when a campaign starts and ends, when contacts may be called, and how often. */
const EditSchedule = ({
  loaded,
  onClose,
}: {
  readonly loaded: LoadedSchedule;
  readonly onClose: () => void;
}) => {
  const [seen] = useState(loaded);
  const schedule = seen.data;
  const [form, setForm] = useState(() => formOf(schedule));
  const set = (change: Partial<ScheduleForm>) => setForm((now) => ({ ...now, ...change }));
  const isUnchanged =
    JSON.stringify(bodyOf(form, schedule)) === JSON.stringify(bodyOf(formOf(schedule), schedule)) &&
    form.rules.length === (schedule.retry_rules ?? []).length;
  const save = useMutation({
    mutationFn: () =>
      call('PUT', '/campaigns/{id}/schedule', {
        params: { id: schedule.campaign_id },
        body: bodyOf(form, schedule),
        ifMatch: seen.etag,
      }),
    onSuccess: () => {
      void invalidate('/campaigns');
      toast.good(t('Schedule saved.'));
      onClose();
    },
  });
  const [isSubmitted, setSubmitted] = useState(false);
  const problems = fieldErrors(save.error);
  const own: Partial<ReturnType<typeof problemsOf>> = isSubmitted ? problemsOf(form, schedule) : {};
  const submit = () => {
    setSubmitted(true);
    if (isUnchanged) onClose();
    else if (
      Object.values(problemsOf(form, schedule)).every((problem) => !problem) &&
      Object.keys(ruleProblems(form.rules)).length === 0
    )
      save.mutate();
  };
  const zone = schedule.time_zone;
  const windowProblem = own.days ?? problems.call_window ?? problems['call_window.days'];
  return (
    <FormDialog
      title={t('Schedule')}
      dirty={!isUnchanged}
      onSubmit={submit}
      onClose={onClose}
      action={t('Save')}
      busy={save.isPending}
      error={save.error}
    >
      <div className="grid gap-4 sm:grid-cols-2">
        <Input
          label={t('Start time')}
          type="datetime-local"
          hint={t('Starts automatically. Time zone: {zone}', { zone })}
          value={form.starts}
          error={own.starts ?? problems.starts_at}
          onChange={({ target }) => set({ starts: target.value })}
        />
        <Input
          label={t('End time')}
          type="datetime-local"
          hint={t('Finishes automatically. Time zone: {zone}', { zone })}
          value={form.ends}
          error={own.ends ?? problems.ends_at}
          onChange={({ target }) => set({ ends: target.value })}
        />
      </div>
      <Checkbox
        checked={form.hasWindow}
        onChange={(hasWindow) => set({ hasWindow })}
        label={t('Call only at certain times')}
        hint={t(
          "In the contact's local time, which follows from the phone number. Contacts without a known time zone use {zone}.",
          { zone },
        )}
      />
      {form.hasWindow && (
        <fieldset className="flex flex-col gap-3 rounded-lg border border-line p-3.5">
          <legend className="px-1 text-sm font-medium">{t('Call window')}</legend>
          <div className="flex flex-wrap gap-x-5 gap-y-3">
            {weekdays.map((day) => (
              <Checkbox
                key={day}
                checked={form.days.includes(day)}
                label={weekdayLabel(day)}
                onChange={(checked) =>
                  set({ days: checked ? [...form.days, day] : form.days.filter((each) => each !== day) })
                }
              />
            ))}
          </div>
          <div className="grid grid-cols-2 gap-4">
            <Input
              label={t('From')}
              type="time"
              required
              value={form.from}
              error={own.from ?? problems['call_window.from']}
              onChange={({ target }) => set({ from: target.value })}
            />
            <Input
              label={t('To')}
              type="time"
              required
              value={form.to === '24:00' ? '23:59' : form.to}
              error={own.to ?? problems['call_window.to']}
              onChange={({ target }) => set({ to: target.value })}
            />
          </div>
          {windowProblem && (
            <p role="alert" className="text-[0.8125rem] text-danger">
              {windowProblem}
            </p>
          )}
        </fieldset>
      )}
      <div className="grid gap-4 sm:grid-cols-2">
        <Input
          label={t('Attempts per contact')}
          type="number"
          min={1}
          max={MAX_ATTEMPTS}
          hint={t('After the last one the contact has failed. Empty: no limit.')}
          value={form.attempts}
          error={own.attempts ?? problems.max_attempts}
          onChange={({ target }) => set({ attempts: target.value })}
        />
        <Input
          label={t('Minutes between attempts')}
          type="number"
          min={1}
          max={MAX_MINUTES}
          hint={t('At least. Empty: none.')}
          value={form.minutes}
          error={own.minutes ?? problems.min_retry_minutes}
          onChange={({ target }) => set({ minutes: target.value })}
        />
      </div>
      <RetryRuleFields
        rows={form.rules}
        problems={{ ...problems, ...(isSubmitted && ruleProblems(form.rules)) }}
        onChange={(rules) => set({ rules })}
      />
    </FormDialog>
  );
};

export default EditSchedule;
