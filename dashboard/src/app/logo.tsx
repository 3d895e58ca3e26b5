export const Logo = ({ className = 'size-8' }: { readonly className?: string }) => (
  <svg viewBox="0 0 32 32" className={className} aria-hidden="true">
    <rect width="32" height="32" rx="8" className="fill-accent" />
    <path
      d="M10 24V8h7.2a4.8 4.8 0 0 1 0 9.6H10m6.4 0L22 24"
      fill="none"
      className="stroke-on-accent"
      strokeWidth="3"
      strokeLinecap="round"
      strokeLinejoin="round"
    />
  </svg>
);
