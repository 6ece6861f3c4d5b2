export function Title({ text }) {
  const shown = text ?? "none";
  return <h1 className="title">{shown}</h1>;
}}
