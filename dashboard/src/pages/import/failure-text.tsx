import { messageOf, problemsOf } from '../../api/failure.ts';

/** What went wrong: each problem by itself where the service names several, its sentence otherwise. */
export const FailureText = ({ error }: { readonly error: unknown }) => {
  const problems = Object.values(problemsOf(error));
  return (
    <>
      {(problems.length > 0 ? problems : [messageOf(error)]).map((text) => (
        <p key={text} className="wrap-anywhere">
          {text}
        </p>
      ))}
    </>
  );
};
