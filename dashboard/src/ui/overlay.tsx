import { useLayoutEffect } from 'react';
import { cx } from './cx.ts';

let shown = 0;

/** Darkens what is behind a dialog, be it another one, and holds the page still, without a jump where the scroll bar
 *  was. Our own element, since Radix's overlay would write <style> elements for the same. */
export const Overlay = ({ className = 'z-50 bg-overlay' }: { readonly className?: string }) => {
  useLayoutEffect(() => {
    const { style, clientWidth } = document.documentElement;
    if (shown++ === 0) {
      style.paddingRight = `${innerWidth - clientWidth}px`;
      style.overflow = 'hidden';
    }
    return () => {
      if (--shown > 0) return;
      style.paddingRight = '';
      style.overflow = '';
    };
  }, []);
  return <div aria-hidden className={cx('fixed inset-0 animate-[appear_140ms]', className)} />;
};
