/** The keys of a shortcut, such as `Ctrl K`. */
export const KeyHint = ({ keys }: { readonly keys: string }) => (
  <span className="inline-flex gap-1">
    {keys.split(' ').map((key) => (
      <kbd
        key={key}
        className="rounded border border-line bg-sunken px-1.5 py-px font-sans text-[0.6875rem] font-medium text-muted"
      >
        {key}
      </kbd>
    ))}
  </span>
);
