// A drawing in space as vectors: its faces and lines put in order by GL2PS and painted one by one, its labels
// as text. Needs no OpenGL context.
#pragma once

#include <QRectF>
#include <QString>

class QPainter;

namespace casimir {

class Drawing3d;

// Why a drawing goes into a file as a picture in pixels; empty where vectors are right, which is where
// nothing is told by light or perspective.
QString whyNoVectors(const Drawing3d& drawing);

void paintVectors(Drawing3d& drawing, QPainter& painter, const QRectF& rect);

} // namespace casimir
