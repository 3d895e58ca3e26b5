import { startTransition, useEffect, useState } from 'react';
import { createStore } from '../api/store.ts';
import { cx } from './cx.ts';
import { loadPhoneLibrary, type PhoneLibrary } from './phone-number.ts';

/** Undefined until the library is loaded. */
const library = createStore<PhoneLibrary | undefined>(undefined);

let isRequested = false;

/** The library has 36 KB, so it is loaded after the page is shown. After a failure, the next number requests it again. */
const loadWhenIdle = () => {
  const load = () =>
    void loadPhoneLibrary().then(library.set, () => {
      isRequested = false;
    });
  if (typeof requestIdleCallback === 'function') requestIdleCallback(load, { timeout: 2_000 });
  else setTimeout(load, 200);
};

const isE164 = (text: string) => /^\+\d{7,15}$/.test(text);

/** The groups of digits of a number in international format; one group if it is not an E.164 number. */
const groupsOf = (number: string, loaded: PhoneLibrary | undefined): readonly string[] => {
  if (!loaded || !isE164(number)) return [number];
  const parsed = loaded.parsePhoneNumberFromString(number, { extract: false });
  if (parsed?.number !== number) return [number];
  const groups = parsed.formatInternational().split(/[^+\d]+/);
  return groups.join('') === number ? groups : [number];
};

/** A phone number, grouped as in international format. The gaps are margins: selecting and copying it, also as part of a row,
 *  gives the number in E.164. */
export const Phone = ({ number, className }: { readonly number: string; readonly className?: string }) => {
  const [loaded, setLoaded] = useState(library.get);
  useEffect(() => {
    if (loaded) return;
    if (!isRequested) loadWhenIdle();
    isRequested = true;
    const update = () => startTransition(() => setLoaded(library.get));
    update();
    return library.subscribe(update);
  }, [loaded]);
  return (
    <span dir="ltr" className={cx('figure whitespace-nowrap', className)}>
      {groupsOf(number, loaded).map((group, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the groups of a number have no other identity
        <span key={index} className={index > 0 ? 'ms-[0.3em]' : undefined}>
          {group}
        </span>
      ))}
    </span>
  );
};

/** A phone number to call. One that was migrated in another form is only text. */
export const PhoneLink = ({ number }: { readonly number: string }) =>
  isE164(number) ? (
    <a href={`tel:${number}`} className="rounded text-accent-ink hover:underline">
      <Phone number={number} />
    </a>
  ) : (
    <Phone number={number} />
  );

/** The name of a contact, which is its number if it has no name. */
export const NameOrPhone = ({ text }: { readonly text: string }) =>
  isE164(text) ? <Phone number={text} /> : text;
