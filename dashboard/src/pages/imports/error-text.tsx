import { errorMessage, fieldErrors } from '../../api/api-error.ts';

/** What went wrong: each problem by itself where the service names several, its sentence otherwise. */
export const FailureText = ({ error }: { readonly error: unknown }) => {
  const problems = Object.values(fieldErrors(error));
  return (
    <>
      {(problems.length > 0 ? problems : [errorMessage(error)]).map((text) => (
        <p key={text} className="wrap-anywhere">
          {text}
        </p>
      ))}
    </>
  );
};
