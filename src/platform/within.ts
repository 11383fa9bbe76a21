/** Waits for something to settle, at most so many milliseconds. Never rejects. */
export async function within(milliseconds: number, work: Promise<unknown>): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<void>((resolve) => timer = setTimeout(resolve, milliseconds));
  await Promise.race([work.then(() => {}, () => {}), late]);
  clearTimeout(timer);
}
