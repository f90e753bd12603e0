#include "ui/render/gl_host.h"

#include "core/base/error.h"

#include <vtkCallbackCommand.h>
#include <vtkCommand.h>
#include <vtkGenericOpenGLRenderWindow.h>
#include <vtkNew.h>
#include <vtkObjectFactory.h>
#include <vtkOpenGLState.h>
#include <vtkRenderer.h>
#include <vtkRendererCollection.h>
#include <vtkUnsignedCharArray.h>

#include <QApplication>
#include <QMouseEvent>
#include <QOpenGLContext>
#include <QOpenGLFunctions>
#include <QSurfaceFormat>
#include <QWheelEvent>

#include <EGL/egl.h>
#include <EGL/eglext.h>

#include <algorithm>
#include <cmath>
#include <cstring>

namespace casimir {

namespace {

// VTK's loader asks for GLX, finds none under EGL after it has loaded all it needs, and says so at every
// frame. That one message is no news to anyone.
void passOnMessage(vtkObject*, unsigned long, void*, void* text)
{
    if (text && !std::strstr(static_cast<const char*>(text), "GLEW"))
        qWarning("%s", static_cast<const char*>(text));
}

// Qt's core contexts refuse lines wider than a pixel, others draw them: with a limit of one pixel VTK widens
// lines itself, the same in every context.
class HostedWindow : public vtkGenericOpenGLRenderWindow {
public:
    static HostedWindow* New() { VTK_STANDARD_NEW_BODY(HostedWindow); }
    float GetMaximumHardwareLineWidth() override { return 1; }
};

vtkSmartPointer<vtkGenericOpenGLRenderWindow> makeWindow()
{
    auto window = vtkSmartPointer<HostedWindow>::New();
    // Multisampling doubles the time of a frame on a software rasteriser; the renderers smooth with FXAA.
    window->SetMultiSamples(0);
    window->SetAlphaBitPlanes(1);
    // The host copies the finished frame itself, to a framebuffer VTK does not know.
    window->SetFrameBlitModeToNoBlit();
    vtkNew<vtkCallbackCommand> messages;
    messages->SetCallback(passOnMessage);
    window->AddObserver(vtkCommand::ErrorEvent, messages);
    window->AddObserver(vtkCommand::WarningEvent, messages);
    return window;
}

// What VTK takes for granted at the start of a frame and Qt, or a fresh context, has otherwise: GL_LEQUAL
// because coincident things are drawn in turn, and blending by alpha for whatever is translucent.
void expectedState(vtkOpenGLState* state)
{
    state->vtkglDepthFunc(GL_LEQUAL);
    state->vtkglEnable(GL_BLEND);
    state->vtkglBlendFuncSeparate(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
}

void attach(vtkGenericOpenGLRenderWindow* window, Drawing3d* drawing)
{
    while (vtkRenderer* old = window->GetRenderers()->GetFirstRenderer())
        window->RemoveRenderer(old);
    if (drawing)
        window->AddRenderer(drawing->renderer());
}

} // namespace

void prepareOpenGl()
{
    // Without sharing, floating a dock destroys the context of every view in the window.
    QCoreApplication::setAttribute(Qt::AA_ShareOpenGLContexts);
    QSurfaceFormat format;
    format.setRenderableType(QSurfaceFormat::OpenGL);
    format.setVersion(3, 2);
    format.setProfile(QSurfaceFormat::CoreProfile);
    format.setDepthBufferSize(24);
    format.setStencilBufferSize(8);
    format.setAlphaBufferSize(8);
    format.setSamples(0);
    QSurfaceFormat::setDefaultFormat(format);
}

VtkWidget::VtkWidget(QWidget* parent) : QOpenGLWidget(parent), window_(makeWindow())
{
    // Without an answer to the first of these the frame stays black, and nothing says so.
    window_->AddObserver(vtkCommand::WindowIsCurrentEvent, this, &VtkWidget::isContextCurrent);
    window_->AddObserver(vtkCommand::WindowMakeCurrentEvent, this, &VtkWidget::makeContextCurrent);
    window_->AddObserver(vtkCommand::WindowSupportsOpenGLEvent, this, &VtkWidget::supportsOpenGl);
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setMinimumSize(120, 90);
}

VtkWidget::~VtkWidget()
{
    // The context outlives this object's own part by a moment; its signal must not find a half-destroyed
    // widget.
    disconnect(contextLoss_);
    makeCurrent();
    releaseContext();
    attach(window_, nullptr);
    window_->RemoveAllObservers();
    doneCurrent();
}

void VtkWidget::setDrawing(Drawing3d* drawing)
{
    if (drawing == drawing_)
        return;
    // The old drawing leaves its buffers in this context, so they are freed here.
    if (isValid())
        makeCurrent();
    attach(window_, drawing);
    if (isValid())
        doneCurrent();
    drawing_ = drawing;
    fitSize();
    update();
}

void VtkWidget::releaseContext()
{
    window_->Finalize();
    window_->SetReadyForRendering(false);
}

void VtkWidget::makeContextCurrent(vtkObject*, unsigned long, void*)
{
    // Not QOpenGLWidget::makeCurrent(), which would bind Qt's framebuffer in the middle of VTK's frame.
    if (QOpenGLContext* c = context(); c && c->isValid() && c != QOpenGLContext::currentContext())
        c->makeCurrent(c->surface());
}

void VtkWidget::isContextCurrent(vtkObject*, unsigned long, void* answer)
{
    *static_cast<bool*>(answer) = context() && QOpenGLContext::currentContext() == context();
}

void VtkWidget::supportsOpenGl(vtkObject*, unsigned long, void* answer)
{
    *static_cast<int*>(answer) = 1;
}

void VtkWidget::initializeGL()
{
    contextLoss_ = connect(context(), &QOpenGLContext::aboutToBeDestroyed, this, [this] {
        makeCurrent();
        releaseContext();
        doneCurrent();
    });
    window_->GetState()->Reset();
    window_->GetState()->vtkglDepthFunc(GL_LEQUAL); // blending is set later: its functions are not loaded yet
    window_->SetReadyForRendering(true);
    window_->SetOwnContext(0);
    window_->OpenGLInitContext();
    fitSize();
}

void VtkWidget::fitSize()
{
    const double ratio = devicePixelRatioF();
    const QSize size = (QSizeF(this->size()) * ratio).toSize().expandedTo({1, 1});
    window_->SetSize(size.width(), size.height());
    window_->SetScreenSize(size.width(), size.height());
    if (drawing_) {
        drawing_->setPixelRatio(ratio);
        drawing_->setAspect(static_cast<double>(size.width()) / size.height());
    }
}

void VtkWidget::resizeGL(int, int)
{
    fitSize();
}

void VtkWidget::paintGL()
{
    // A window moved to another screen changes the ratio without a resize.
    if (drawing_ && drawing_->pixelRatio() != devicePixelRatioF())
        fitSize();
    vtkOpenGLState* state = window_->GetState();
    // Qt painted with this context behind VTK's cache of its state.
    state->Reset();
    state->Push();
    expectedState(state);
    if (drawing_) {
        drawing_->renderer()->ResetCameraClippingRange();
        window_->Render();
    }
    makeCurrent();
    QOpenGLFunctions* gl = context()->functions();
    gl->glBindFramebuffer(GL_DRAW_FRAMEBUFFER, defaultFramebufferObject());
    gl->glDisable(GL_SCISSOR_TEST);
    if (drawing_) {
        const int* size = window_->GetSize();
        window_->BlitDisplayFramebuffer(0, 0, 0, size[0], size[1], 0, 0, size[0], size[1],
                                        GL_COLOR_BUFFER_BIT, GL_NEAREST);
        gl->glBindFramebuffer(GL_FRAMEBUFFER, defaultFramebufferObject());
    }
    // A frame with alpha below 1 would let the window behind shine through.
    gl->glColorMask(!drawing_, !drawing_, !drawing_, true);
    const QColor back = palette().color(QPalette::Base);
    gl->glClearColor(static_cast<float>(back.redF()), static_cast<float>(back.greenF()),
                     static_cast<float>(back.blueF()), 1);
    gl->glClear(GL_COLOR_BUFFER_BIT);
    gl->glColorMask(true, true, true, true);
    state->Pop();
    ++frames_;
}

QImage VtkWidget::grab3d()
{
    return grabFramebuffer();
}

void VtkWidget::moveCamera(const Camera& camera)
{
    drawing_->setCamera(camera);
    update();
    Q_EMIT cameraChanged();
}

void VtkWidget::mousePressEvent(QMouseEvent* event)
{
    pressedAt_ = lastAt_ = event->position();
    moved_ = second_ = false;
    claimed_ = pressed(event->position(), event->button(), event->modifiers());
}

void VtkWidget::mouseMoveEvent(QMouseEvent* event)
{
    const QPointF at = event->position();
    if (event->buttons() == Qt::NoButton) {
        Q_EMIT hovered(at);
        return;
    }
    if ((at - pressedAt_).manhattanLength() >= QApplication::startDragDistance())
        moved_ = true;
    if (claimed_) {
        dragged(at);
        return;
    }
    // A trembling click is not a drag.
    if (!drawing_ || !moved_)
        return;
    const QPointF d = at - lastAt_;
    lastAt_ = at;
    const bool turning = drawing_->turnable() && (event->buttons() & Qt::LeftButton) &&
                         !(event->modifiers() & Qt::ShiftModifier);
    if (turning)
        moveCamera(turned(drawing_->camera(), -d.x() * 0.01, d.y() * 0.01));
    else
        moveCamera(panned(drawing_->camera(), d.x() / height(), -d.y() / height()));
}

void VtkWidget::mouseReleaseEvent(QMouseEvent* event)
{
    if (claimed_)
        released(event->position());
    else if (!moved_ && !second_ && event->button() == Qt::LeftButton)
        Q_EMIT clicked(event->position(), event->modifiers());
    claimed_ = false;
}

void VtkWidget::mouseDoubleClickEvent(QMouseEvent* event)
{
    mousePressEvent(event);
    second_ = true;
}

void VtkWidget::wheelEvent(QWheelEvent* event)
{
    if (!drawing_ || event->angleDelta().y() == 0)
        return;
    moveCamera(zoomed(drawing_->camera(), std::pow(1.0015, event->angleDelta().y())));
    event->accept();
}

struct OffscreenGl::Impl {
    EGLDisplay display = EGL_NO_DISPLAY;
    EGLContext context = EGL_NO_CONTEXT;
    vtkSmartPointer<vtkGenericOpenGLRenderWindow> window;
    vtkSmartPointer<vtkRenderer> shown;

    void makeCurrent(vtkObject* = nullptr, unsigned long = 0, void* = nullptr)
    {
        eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context);
    }
    void isCurrent(vtkObject*, unsigned long, void* answer)
    {
        *static_cast<bool*>(answer) = eglGetCurrentContext() == context;
    }
    void supports(vtkObject*, unsigned long, void* answer) { *static_cast<int*>(answer) = 1; }
    QImage draw(Drawing3d& drawing, QSize full);
};

namespace {

// A widget's context may be current on this thread; it is given back as it was.
class ContextGuard {
public:
    explicit ContextGuard(EGLDisplay display)
        : display_(display), qt_(QOpenGLContext::currentContext()), surface_(qt_ ? qt_->surface() : nullptr)
    {
        if (qt_)
            qt_->doneCurrent();
    }
    ~ContextGuard()
    {
        eglMakeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
        if (qt_)
            qt_->makeCurrent(surface_);
    }
    ContextGuard(const ContextGuard&) = delete;
    ContextGuard& operator=(const ContextGuard&) = delete;

private:
    EGLDisplay display_;
    QOpenGLContext* qt_;
    QSurface* surface_;
};

// What covers of a backdrop follows from how much of it shines through: drawn over black and over white,
// labels, smoothing and all.
QImage betweenBackdrops(const QImage& onBlack, const QImage& onWhite)
{
    QImage result(onBlack.size(), QImage::Format_ARGB32_Premultiplied);
    for (int y = 0; y < result.height(); ++y) {
        const auto* black = reinterpret_cast<const QRgb*>(onBlack.constScanLine(y));
        const auto* white = reinterpret_cast<const QRgb*>(onWhite.constScanLine(y));
        auto* out = reinterpret_cast<QRgb*>(result.scanLine(y));
        for (int x = 0; x < result.width(); ++x) {
            const int through = (qRed(white[x]) - qRed(black[x]) + qGreen(white[x]) - qGreen(black[x]) +
                                 qBlue(white[x]) - qBlue(black[x]) + 1) /
                                3;
            const int alpha = std::clamp(255 - through, 0, 255);
            out[x] = qRgba(std::min(qRed(black[x]), alpha), std::min(qGreen(black[x]), alpha),
                           std::min(qBlue(black[x]), alpha), alpha);
        }
    }
    return result;
}

} // namespace

OffscreenGl::OffscreenGl() : impl_(std::make_unique<Impl>())
{
    const auto getDisplay =
        reinterpret_cast<PFNEGLGETPLATFORMDISPLAYEXTPROC>(eglGetProcAddress("eglGetPlatformDisplayEXT"));
    if (getDisplay)
        impl_->display = getDisplay(EGL_PLATFORM_SURFACELESS_MESA, nullptr, nullptr);
    EGLint major = 0, minor = 0;
    if (impl_->display == EGL_NO_DISPLAY || !eglInitialize(impl_->display, &major, &minor))
        throw Error("3D pictures without a display need EGL with surfaceless contexts (Debian: libegl1, "
                    "libgl1-mesa-dri); "
                    "it is not available here.");
    eglBindAPI(EGL_OPENGL_API);
    const EGLint want[] = {EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT, EGL_SURFACE_TYPE, 0, EGL_NONE};
    const EGLint attributes[] = {EGL_CONTEXT_MAJOR_VERSION,
                                 3,
                                 EGL_CONTEXT_MINOR_VERSION,
                                 3,
                                 EGL_CONTEXT_OPENGL_PROFILE_MASK,
                                 EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
                                 EGL_NONE};
    EGLConfig config = nullptr;
    EGLint count = 0;
    if (eglChooseConfig(impl_->display, want, &config, 1, &count) && count > 0)
        impl_->context = eglCreateContext(impl_->display, config, EGL_NO_CONTEXT, attributes);
    if (impl_->context == EGL_NO_CONTEXT)
        throw Error(
            "3D pictures without a display need OpenGL 3.3 through EGL; this driver gives no such context.");

    const ContextGuard guard(impl_->display);
    impl_->makeCurrent();
    impl_->window = makeWindow();
    impl_->window->AddObserver(vtkCommand::WindowIsCurrentEvent, impl_.get(), &Impl::isCurrent);
    impl_->window->AddObserver(vtkCommand::WindowMakeCurrentEvent, impl_.get(), &Impl::makeCurrent);
    impl_->window->AddObserver(vtkCommand::WindowSupportsOpenGLEvent, impl_.get(), &Impl::supports);
    impl_->window->SetReadyForRendering(true);
    impl_->window->SetOwnContext(0);
    impl_->window->OpenGLInitContext();
}

OffscreenGl::~OffscreenGl()
{
    const ContextGuard guard(impl_->display);
    impl_->makeCurrent();
    attach(impl_->window, nullptr);
    impl_->window->Finalize();
    impl_->window->RemoveAllObservers();
    impl_->window = nullptr;
    eglMakeCurrent(impl_->display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    eglDestroyContext(impl_->display, impl_->context);
}

QImage OffscreenGl::Impl::draw(Drawing3d& drawing, QSize full)
{
    drawing.renderer()->ResetCameraClippingRange();
    window->SetSize(full.width(), full.height());
    window->SetScreenSize(full.width(), full.height());
    window->GetState()->Reset();
    expectedState(window->GetState());
    window->Render();

    vtkNew<vtkUnsignedCharArray> pixels;
    window->GetRGBACharPixelData(0, 0, full.width() - 1, full.height() - 1, 0, pixels);
    if (pixels->GetNumberOfTuples() < static_cast<vtkIdType>(full.width()) * full.height())
        throw Error("The picture could not be read back from OpenGL.");
    const QImage image(pixels->GetPointer(0), full.width(), full.height(), full.width() * 4,
                       QImage::Format_RGBA8888_Premultiplied);
    return image.mirrored().convertToFormat(QImage::Format_RGB32);
}

QImage OffscreenGl::render(Drawing3d& drawing, QSize size, double pixelRatio, bool transparent,
                           int oversampling)
{
    if (size.width() < 1 || size.height() < 1 || oversampling < 1)
        throw Error("A picture needs a width, a height and an oversampling of at least 1.");
    const QSize full = size * oversampling;
    const ContextGuard guard(impl_->display);
    impl_->makeCurrent();
    if (impl_->shown != drawing.renderer()) {
        attach(impl_->window, &drawing);
        impl_->shown = drawing.renderer();
    }
    drawing.setPixelRatio(pixelRatio * oversampling);
    drawing.setAspect(static_cast<double>(full.width()) / full.height());
    QImage image;
    if (transparent) {
        drawing.setBackdrop(QColor(Qt::black));
        image = impl_->draw(drawing, full);
        drawing.setBackdrop(QColor(Qt::white));
        image = betweenBackdrops(image, impl_->draw(drawing, full));
        drawing.setBackdrop(std::nullopt);
    } else {
        image = impl_->draw(drawing, full);
    }
    if (oversampling > 1)
        image = image.scaled(size, Qt::IgnoreAspectRatio, Qt::SmoothTransformation);
    return image;
}

} // namespace casimir
