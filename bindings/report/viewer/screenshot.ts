// Downloads the 3D view with a caption as a PNG file.
import { download } from './download.js';

const CAPTION_PIXELS = 32;

/**
 * Downloads the picture as a PNG file with the given name. The caption is one line below the picture.
 * textColor, backgroundColor: CSS colors of the caption.
 */
export async function saveScreenshot(
  picture: HTMLCanvasElement,
  caption: string,
  name: string,
  textColor: string,
  backgroundColor: string,
): Promise<void> {
  const scale = devicePixelRatio;
  const sheet = document.createElement('canvas');
  sheet.width = picture.width;
  sheet.height = picture.height + CAPTION_PIXELS * scale;
  const pen = sheet.getContext('2d')!;
  pen.fillStyle = backgroundColor;
  pen.fillRect(0, 0, sheet.width, sheet.height);
  pen.drawImage(picture, 0, 0);
  pen.fillStyle = textColor;
  pen.font = `${13 * scale}px system-ui, sans-serif`;
  pen.textBaseline = 'middle';
  pen.fillText(caption, 12 * scale, sheet.height - (CAPTION_PIXELS * scale) / 2, sheet.width - 24 * scale);
  const blob = await new Promise<Blob | null>(resolve => {
    sheet.toBlob(resolve, 'image/png');
  });
  if (!blob) return;
  download(blob, name, 'png');
}
