// SceneRenderer: the stage. Builds the actors of a Scene once; a new Pose moves them in place. Ghosts are the
// same parts at other poses; traces are the paths of points. It knows geometry and colours, nothing of any
// system.
#pragma once

#include "core/model/scene.h"
#include "ui/render/drawing3d.h"
#include "ui/render/line_batch.h"
#include "ui/render/sprite.h"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace casimir {

struct Trace {
    std::vector<Eigen::Vector3d> points;
    Colour colour = {};
    bool fading = true; // the older end goes over into the background
    bool past = false;  // what was, before parameters were changed: fainter
};

struct Ghost {
    Pose pose;
    Colour colour = Colour::motion(1); // of its outline
};

// Where something is taken hold of: a grip of fixed size on screen with arrows along the line it moves on.
struct GripMark {
    Eigen::Vector3d at = Eigen::Vector3d::Zero();
    Eigen::Vector3d along = Eigen::Vector3d::UnitX(); // of length 1
    bool held = false;                                // the pointer is on it
};

class SceneRenderer : public Drawing3d {
public:
    SceneRenderer();
    ~SceneRenderer() override;

    // Everything again; the camera is kept if the scene is of the same size, or if `keepCamera` says so.
    void setScene(const Scene& scene, bool keepCamera = false);
    const Scene& scene() const { return scene_; }

    void setPose(const Pose& pose);
    void setGhosts(const std::vector<Ghost>& ghosts);
    void setTraces(const std::vector<Trace>& traces);
    void setHandle(const std::optional<GripMark>& handle);
    void setLayerShown(const std::string& layer, bool shown);
    // A ring about a point, such as one that the pointer may take hold of; none: no ring.
    void setHighlight(std::optional<Eigen::Vector3d> at);

    bool turnable() const override { return !scene_.planar; }
    std::vector<const Sprite*> sprites() const override;
    int built() const { return built_; } // how often actors were made

protected:
    ViewFrom home() const override { return scene_.planar ? ViewFrom::Top : ViewFrom::Oblique; }
    bool parallel() const override { return scene_.planar; }
    Eigen::Vector3d upFromTheTop() const override { return scene_.up; }
    double boundingRadius() const override { return 1.08 * scene_.radius; }
    void restyle() override;
    void cameraMoved() override { drawHandle(); }

private:
    class Figure; // the actors of one pose
    struct Geometry;
    std::unique_ptr<Figure> makeFigure(bool ghost);
    void drawHandle();

    Scene scene_;
    Pose pose_;
    std::vector<Ghost> ghosts_;
    std::vector<Trace> traces_;
    std::map<std::string, bool> shown_;
    std::unique_ptr<Geometry> geometry_;
    std::unique_ptr<Figure> figure_;
    std::vector<std::unique_ptr<Figure>> ghostFigures_;
    LineBatch traceLines_;
    std::optional<GripMark> handle_;
    Sprite handleSprite_;
    std::optional<double> handleTurn_; // of its arrows in the picture, as the sprite has it
    Sprite highlight_;
    int built_ = 0;
};

} // namespace casimir
