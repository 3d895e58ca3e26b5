import { errorMessage, fieldErrors } from '../../api/api-error.ts';

/** The field errors if there are any, otherwise the error message. */
export const ErrorText = ({ error }: { readonly error: unknown }) => {
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
