import { useLayoutEffect } from 'react';
import { cx } from './cx.ts';

let shown = 0;

/** Darkens the page behind a dialog and prevents it from scrolling, without a layout shift. Radix's overlay would
 *  insert <style> elements, which the content security policy forbids. */
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
