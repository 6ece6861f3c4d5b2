interface Size {
  width: number;
}

export const area = (size: Size): number => size.width ** ;
