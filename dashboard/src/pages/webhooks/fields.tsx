import { useState } from 'react';
import { t } from '../../lib/i18n.ts';
import { Checkbox } from '../../ui/checkbox.tsx';
import { Input, Select } from '../../ui/field.tsx';
import { EventTypeFields } from './event-type-fields.tsx';
import { FilterFields } from './filter-fields.tsx';
import type { WebhookForm } from './form.ts';

interface FieldsProps {
  readonly form: WebhookForm;
  /** The messages by the names of the fields in the API. */
  readonly problems: Readonly<Record<string, string>>;
  readonly onChange: (change: Partial<WebhookForm>) => void;
}

const payloads = [
  { value: 'snapshot', label: t('Snapshot') },
  { value: 'thin', label: t('Thin') },
];
const payloadHints: Record<WebhookForm['payload'], string> = {
  snapshot: t('The event contains the record as it was after the change.'),
  thin: t('The event contains only IDs; your system reads the record from the API.'),
};

/** The settings of an endpoint, in the dialogs that add and edit it. */
export const WebhookFields = ({ form, problems, onChange }: FieldsProps) => (
  <>
    <Input
      label={t('Endpoint URL')}
      hint={t('An https URL that accepts POST requests.')}
      placeholder={t('https://example.com/webhooks')}
      type="url"
      inputMode="url"
      dir="ltr"
      required
      autoFocus
      maxLength={2_048}
      autoComplete="off"
      spellCheck={false}
      value={form.url}
      error={problems.url}
      onChange={({ target }) => onChange({ url: target.value })}
    />
    <Input
      label={t('Description')}
      hint={t('Optional. What receives the events, e.g. CRM sync.')}
      maxLength={200}
      autoComplete="off"
      value={form.description}
      error={problems.description}
      onChange={({ target }) => onChange({ description: target.value })}
    />
    <EventTypeFields form={form} error={problems.types} onChange={onChange} />
    <FilterFields form={form} problems={problems} onChange={onChange} />
    <Select
      label={t('Payload')}
      hint={payloadHints[form.payload]}
      options={payloads}
      value={form.payload}
      error={problems.payload}
      onChange={({ target }) => onChange({ payload: target.value as WebhookForm['payload'] })}
    />
    <AdvancedFields form={form} problems={problems} onChange={onChange} />
  </>
);

const AdvancedFields = ({ form, problems, onChange }: FieldsProps) => {
  const [isOpen, setOpen] = useState(false);
  const hasProblem = Boolean(problems.max_concurrency || problems.rate_per_second);
  return (
    <details
      className="rounded-lg border border-line"
      open={isOpen || hasProblem}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary className="rounded-lg px-3 py-2 text-sm font-medium select-none hover:bg-sunken/60">
        {t('Advanced')}
      </summary>
      <div className="flex flex-col gap-4 px-3 pt-1 pb-3">
        <Checkbox
          label={t('Include values of fields')}
          hint={t('Events of contacts contain the values as they are when the event is sent.')}
          checked={form.hasFields}
          onChange={(hasFields) => onChange({ hasFields })}
        />
        <Checkbox
          label={t('Ordered delivery')}
          hint={t(
            'Events of the same record are sent one after another. A failing event delays the later ones of its record.',
          )}
          checked={form.ordered}
          onChange={(ordered) => onChange({ ordered })}
        />
        <div className="grid gap-3 sm:grid-cols-2">
          <Input
            label={t('Concurrent requests')}
            hint={t('1 to 100, from each instance of Roster.')}
            type="number"
            min={1}
            max={100}
            value={form.concurrency}
            error={problems.max_concurrency}
            onChange={({ target }) => onChange({ concurrency: target.value })}
          />
          <Input
            label={t('Requests per second')}
            hint={t('1 to 10,000. Leave empty for no limit.')}
            type="number"
            min={1}
            max={10_000}
            value={form.rate}
            error={problems.rate_per_second}
            onChange={({ target }) => onChange({ rate: target.value })}
          />
        </div>
      </div>
    </details>
  );
};
