type Props = { name: string };

export const Hello = ({ name }: Props) => (
  <p>
    Hello, <b>{name}</b
  </p>
);
