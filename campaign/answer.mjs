// Answers a call of truebleu.js: `{ kind, settings, method, args }`, as JSON, with `kind` a class or null.

export function answer(truebleu, call) {
  const { kind, settings, method, args } = JSON.parse(call);
  let found;
  try {
    const object = kind ? new truebleu[kind](settings) : truebleu;
    found = object[method](...args);
  } catch (error) {
    if (!(error instanceof truebleu.TruebleuError)) {
      throw error;
    }
    found = { error: error.message };
  }
  return JSON.stringify(found, (_, value) => (value instanceof Float64Array ? Array.from(value) : value));
}
