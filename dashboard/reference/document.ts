interface Parameter {
  readonly in: string;
  readonly required?: boolean;
  readonly schema?: { readonly enum?: readonly unknown[] };
  examples?: object;
}
interface ApiDocument {
  readonly paths: Record<string, Record<string, { readonly parameters?: readonly Parameter[] }>>;
}

/** Scalar sends the first value of every optional choice, such as `source=api`, unless an example named `default` is disabled. */
const omitByDefault = (parameter: Parameter): void => {
  const [value] = parameter.schema?.enum ?? [];
  if (value !== undefined && !parameter.required)
    parameter.examples = { default: { value, 'x-disabled': true } };
};

/** The document of the API. A sample and a request of the reader have only the parameters that the reader chose. */
export const loadDocument = async (url: string): Promise<ApiDocument> => {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url}: ${response.status}`);
  const document = (await response.json()) as ApiDocument;
  for (const operations of Object.values(document.paths)) {
    for (const { parameters = [] } of Object.values(operations)) parameters.forEach(omitByDefault);
  }
  return document;
};
