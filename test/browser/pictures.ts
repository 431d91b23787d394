// Measures the picture of an element of a page: its number of colors, its brightness, and the fractions of
// its pixels that have given colors.
import type { Page } from 'playwright-core';

export interface Picture {
  /** Number of different colors, with four bits per channel. */
  colors: number;
  /** Mean brightness of all pixels; 0 is black and 1 is white. */
  brightness: number;
  /** For each requested color: the fraction of all pixels whose color is near it. */
  parts: number[];
}

/**
 * Measures an element of a page. selector: selects the element. wanted: names, without the leading dashes, of
 * CSS custom properties whose values are colors.
 */
export async function pictureOf(
  page: Page,
  selector: string,
  wanted: readonly string[] = [],
): Promise<Picture> {
  const bytes = await page.locator(selector).first().screenshot();
  return page.evaluate(
    async ({ base64, names }) => {
      const image = new Image();
      image.src = `data:image/png;base64,${base64}`;
      await image.decode();
      const canvas = new OffscreenCanvas(image.width, image.height);
      const context = canvas.getContext('2d')!;
      const style = getComputedStyle(document.documentElement);
      const targets = names.map(name => {
        context.fillStyle = style.getPropertyValue(`--${name}`).trim();
        context.fillRect(0, 0, 1, 1);
        return [...context.getImageData(0, 0, 1, 1).data];
      });
      context.clearRect(0, 0, 1, 1);
      context.drawImage(image, 0, 0);
      const { data } = context.getImageData(0, 0, image.width, image.height);
      const seen = new Set<number>();
      const near = names.map(() => 0);
      let sum = 0;
      for (let at = 0; at < data.length; at += 4) {
        const [red, green, blue] = [data[at], data[at + 1], data[at + 2]];
        seen.add(((red >> 4) << 8) | ((green >> 4) << 4) | (blue >> 4));
        sum += (red + green + blue) / 765;
        targets.forEach((target, i) => {
          if (
            Math.max(Math.abs(red - target[0]), Math.abs(green - target[1]), Math.abs(blue - target[2])) < 30
          )
            near[i]++;
        });
      }
      const pixels = data.length / 4;
      return { colors: seen.size, brightness: sum / pixels, parts: near.map(count => count / pixels) };
    },
    { base64: bytes.toString('base64'), names: [...wanted] },
  );
}
